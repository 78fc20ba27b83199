import { createReadStream } from 'node:fs';
import { ApiError } from '@waymark/contracts';
import { consumerProgress, latestPosition, readStreamAgain } from '@waymark/service-kit/events';
import { waitAtMost } from '@waymark/service-kit/jobs';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import type { Database } from '@waymark/service-kit/store';
import { signErasure } from './chain/signing.ts';
import { readConfig, readRetentionConfig } from './config.ts';
import { auditContext } from './context.ts';
import { resumeChain } from './heads/resume-chain.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { schema } from './schema.ts';
import { auditCollections } from './store/collections.ts';
import { erasePersonFromEventLog as eraseFromEventLog } from './store/event-log.ts';
import { retentionStore } from './store/retention.ts';
import { stoppedChains } from './store/stopped-chains.ts';
import { linesOf } from './verification/lines.ts';
import { verifyAuditLog } from './verification/verify-audit-log.ts';
import {
  type ExportVerification,
  type VerifyExportOptions,
  verifyExport,
} from './verification/verify-export.ts';

export { countPrivateKeys, retireSigningKeys } from './chain/signing.ts';
export type { Resumed } from './heads/resume-chain.ts';
export { beginEventLogsAnew } from './store/event-log.ts';
export type AuditOperator = Awaited<ReturnType<typeof openAuditOperator>>;

const CONNECT_LIMIT_MS = 5_000;

/** Opens the audit log beside the running replicas. Throws EnvironmentError, PendingMigrationsError. */
export async function openAuditOperator(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const { nats, database, close } = runtime;
  const service = auditContext(config, runtime);
  try {
    await database.readyAtOnce();
    await waitAtMost(new Promise<void>((resolve) => nats.onConnect(() => resolve())), CONNECT_LIMIT_MS);
    if (!nats.connection())
      throw new ApiError('SERVICE_UNAVAILABLE', { message: 'NATS is away: see NATS_URL and NATS_CREDS' });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async *stopped(): AsyncGenerator<string> {
      for await (const { _id } of service.store.allStopped()) yield _id;
    },
    resume: (chain: string) => resumeChain(service, chain),
    knownIds: service.store.knownIds,
    /** Lets the service read all events of the stream again; it skips those that it has. */
    async readStreamAgain(): Promise<void> {
      await readStreamAgain(await nats.manager(), config.natsPrefix, 'audit');
    },
    latestSequence: async () => (await latestPosition(nats, config.natsPrefix)).sequence,
    progress: async () => consumerProgress(await nats.manager(), config.natsPrefix, 'audit'),
    close,
  };
}

/**
 * Erases the details of the entries that a person made or that mention the person. Erases the salt too, so
 * that the hash reveals nothing; the chains still verify. Leaves a signed record in each entry. Returns the
 * number of erased entries. May be repeated. Throws EnvironmentError.
 */
export async function erasePersonFromAudit(
  database: Pick<Database, 'collection'>,
  env: Record<string, string | undefined>,
  { userId, emails }: Person,
): Promise<number> {
  const { auditSigningKeys: keys } = readRetentionConfig(env);
  const mentioned = mentionOf({ userId, emails });
  const theirs = { $or: [{ 'actor.id': userId }, { resource_id: userId }, { details: mentioned }] };
  const { entries, held } = auditCollections(database);
  let count = 0;
  // Held events have the same fields of a person as entries.
  for (const collection of [entries, held as unknown as typeof entries]) {
    const found = collection.find({ ...theirs, details: { $ne: null } });
    for await (const { _id, chain, details_hash } of found.project<Erasable>(ERASABLE)) {
      const erasure = signErasure(details_hash, new Date().toISOString(), keys);
      const erased = { $set: { details: null, details_salt: null, ip: null, erasure } };
      count += (await collection.updateOne({ _id, chain, details: { $ne: null } }, erased)).modifiedCount;
    }
  }
  return count;
}

/** Removes the data of the events in the log that a person caused or that mention the person. */
export const erasePersonFromEventLog = (database: Pick<Database, 'collection'>, person: Person) =>
  eraseFromEventLog(database, { userId: person.userId, mentioned: mentionOf(person) });

interface Person {
  userId: string;
  emails: readonly string[];
}

interface Erasable {
  _id: string;
  chain: string;
  details_hash: string;
}
const ERASABLE = { chain: 1, details_hash: 1 };

const mentionOf = ({ userId, emails }: Person) => new RegExp([userId, ...emails].map(escapeRegExp).join('|'));
const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Applies AUDIT_RETENTION_DAYS as the service does daily; null if it is not set. Throws EnvironmentError. */
export async function applyAuditRetention(database: Database, env: Record<string, string | undefined>) {
  const { auditSigningKeys: keys, auditRetentionDays: days } = readRetentionConfig(env);
  if (days === undefined) return null;
  // MongoDB's clock: a clock of the operator's machine that is ahead would remove entries too early.
  const { localTime } = await database.db.command({ hello: 1 });
  return applyRetention(retentionStore(database), keys, { days, nowMs: localTime.getTime() });
}

/**
 * Verifies every chain of a restored backup, without the copies of their heads in NATS. Returns the faults by
 * chain. Throws EnvironmentError.
 */
export async function verifyChains(database: Database, env: Record<string, string | undefined>) {
  const { auditSigningKeys: keys } = readRetentionConfig(env);
  const store = { ...retentionStore(database), ...stoppedChains(database) };
  const service = { store, keys, copies: { read: async () => ({ head: null }) } };
  const faults: { chain: string; reason: string }[] = [];
  const verified = new Set<string>();
  let entries = 0;
  for await (const chain of store.chains()) {
    const found = await verifyAuditLog(service, chain, new AbortController().signal);
    if (found.fault) faults.push({ chain, reason: `entry ${found.fault.seq}: ${found.fault.reason}` });
    verified.add(chain);
    entries += found.entries;
  }
  for await (const chain of store.chainsOfEntries())
    if (!verified.has(chain)) faults.push({ chain, reason: 'there is no signed head' });
  return { chains: verified.size, entries, faults };
}

/** Verifies an export file offline. Throws when it cannot be read, or when a key is not Ed25519. */
export function verifyAuditExport(path: string, options: VerifyExportOptions): Promise<ExportVerification> {
  return verifyExport(linesOfExport(path), options);
}

/** Yields the lines of an export. Opens the file at the first read, where a failure to open it is thrown. */
export async function* linesOfExport(path: string): AsyncGenerator<string> {
  yield* linesOf(createReadStream(path, 'utf8'));
}

/** The number of stopped chains by reason. */
export const countStoppedChains = (database: Database) => stoppedChains(database).countStopped();
