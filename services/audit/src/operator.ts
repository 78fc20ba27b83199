import { createReadStream } from 'node:fs';
import type { AuditVerification } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { retireSigningKeys } from './chain/signing.ts';
import { readRetentionConfig } from './config.ts';
import { applyRetention, type RetentionResult } from './retention/apply-retention.ts';
import { entryErasure } from './store/erasure.ts';
import { retentionStore } from './store/retention.ts';
import { linesOf } from './verification/lines.ts';
import { type VerifyExportOptions, verifyExport } from './verification/verify-export.ts';

export { retireSigningKeys };

/**
 * Erases what names a person from the entries of what they did: name, address, program, and what they changed. The chains
 * hold, because they count details through a hash. Also what others did to the person: entries that mention the id or the
 * address. Reads every entry. Returns how many were erased; done again, none.
 */
export function erasePersonFromAudit(
  database: Database,
  person: { userId: string; email: string },
): Promise<number> {
  return entryErasure(database).ofPerson(person);
}

/**
 * Removes the entries that are older than `AUDIT_RETENTION_DAYS`, as the service does daily; signs with `AUDIT_SIGNING_KEYS`.
 * Null where the environment sets no retention. Throws EnvironmentError.
 */
export async function applyAuditRetention(
  database: Database,
  env: Record<string, string | undefined>,
): Promise<RetentionResult | null> {
  const { auditSigningKeys: keys, auditRetentionDays: days } = readRetentionConfig(env);
  return days === undefined
    ? null
    : applyRetention(retentionStore(database), keys, { days, nowMs: Date.now() });
}

/**
 * Verifies an export, a file of NDJSON, without a service or a database. Throws when it cannot be read, or when one of the trusted
 * keys is no Ed25519 public key.
 */
export function verifyAuditExport(path: string, options: VerifyExportOptions): Promise<AuditVerification> {
  return verifyExport(linesIn(path), options);
}

/** Opens the file when its first line is asked for: until then nobody would hear that it cannot be opened. */
async function* linesIn(path: string): AsyncGenerator<string> {
  yield* linesOf(createReadStream(path, 'utf8'));
}
