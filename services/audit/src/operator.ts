import { createReadStream } from 'node:fs';
import type { AuditVerification } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { retireSigningKeys } from './chain/signing.ts';
import { readRetentionConfig } from './config.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { retentionStore } from './store/retention.ts';
import { linesOf } from './verification/lines.ts';
import { type VerifyExportOptions, verifyExport } from './verification/verify-export.ts';

/** Erases the data that identifies a person; the chains still verify. Reads every entry. May be repeated. */
export { eraseDetails as erasePersonFromAudit } from './store/erasure.ts';
export { retireSigningKeys };

/** Applies AUDIT_RETENTION_DAYS as the service does daily; null if it is not set. Throws EnvironmentError. */
export async function applyAuditRetention(database: Database, env: Record<string, string | undefined>) {
  const { auditSigningKeys: keys, auditRetentionDays: days } = readRetentionConfig(env);
  if (days === undefined) return null;
  return applyRetention(retentionStore(database), keys, { days, nowMs: Date.now() });
}

/** Verifies an export file offline. Throws when it cannot be read, or when a key is not Ed25519. */
export function verifyAuditExport(path: string, options: VerifyExportOptions): Promise<AuditVerification> {
  return verifyExport(linesIn(path), options);
}

/** Opens the file at the first read, so that a failure to open it rejects the verification. */
async function* linesIn(path: string): AsyncGenerator<string> {
  yield* linesOf(createReadStream(path, 'utf8'));
}
