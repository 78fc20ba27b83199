import { createReadStream } from 'node:fs';
import type { AuditVerification } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { readRetentionConfig } from './config.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { auditCollections } from './store/collections.ts';
import { retentionStore } from './store/retention.ts';
import { linesOf } from './verification/lines.ts';
import { type VerifyExportOptions, verifyExport } from './verification/verify-export.ts';

export { retireSigningKeys } from './chain/signing.ts';

/**
 * Erases the details of the entries that a person made or that mention the person, and their salt, without
 * which the hash reveals nothing; the chains still verify. Returns how many it erased. May be repeated.
 */
export async function erasePersonFromAudit(
  database: Pick<Database, 'collection'>,
  { userId, email }: { userId: string; email: string },
): Promise<number> {
  const mentioned = new RegExp([userId, email].map(escapeRegExp).join('|'));
  const theirs = { $or: [{ 'actor.id': userId }, { resource_id: userId }, { details: mentioned }] };
  const erased = { $set: { details: null, details_salt: null } };
  const { entries } = auditCollections(database);
  return (await entries.updateMany({ ...theirs, details: { $ne: null } }, erased)).modifiedCount;
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

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
