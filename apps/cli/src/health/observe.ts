import { countStoppedChains } from '@waymark/audit/operator';
import { findBackup, openPlace, timeOfBackup } from '@waymark/backup';
import { ApiError, eventStream, type StoringService, storingServices, timeOfId } from '@waymark/contracts';
import { observeRedis, type RedisObservation } from '@waymark/gateway/operator';
import { type EventsObservation, observeEvents, type StreamPosition } from '@waymark/service-kit/events';
import { peerClock } from '@waymark/service-kit/process';
import {
  countWaiting,
  type Database,
  isRefusal,
  isUnavailable,
  OUTBOX,
  type OutboxRow,
  oldestWaiting,
  POSITIONS,
  pendingMigrations,
  readClock,
  type UnfinishedRestore,
  UnfinishedRestoreError,
} from '@waymark/service-kit/store';
import { newestBackupAt } from '@waymark/transfer/operator';
import { countUnreadableSecrets, oldestDueAt } from '@waymark/webhooks/operator';
import { openDatabaseOf } from '../databases.ts';
import { schemas } from '../schemas.ts';
import { type AccessObservation, observeAccess } from './access.ts';
import { twice } from './ask.ts';
import { observeCertificates } from './certificates.ts';
import { observeNatsSync } from './nats-sync.ts';
import { overlapsIn } from './overlaps.ts';
import { observeServices, type ServicesObservation } from './services.ts';

type Environment = Record<string, string | undefined>;

/** Says in one line why an observation could not be made. */
export interface Away {
  away: string;
}

interface AwayDatabase extends Away {
  /** The variable that has its URL. */
  variable: string;
}

export interface MongoObservation {
  version: string;
  /** How far this machine's clock is ahead of MongoDB's, at least; negative when behind. */
  aheadMs: number;
  /** Whether it is a replica set or a mongos, as transactions need. */
  hasTransactions: boolean;
  /** Members that do not answer or are not in step, null when the user may not ask. */
  membersDown: string[] | null;
  /** The share of the disk that MongoDB cannot use, null when it is unknown; reserved blocks are in it. */
  diskUsed: number | null;
  /** The members that store data; null when the user may not ask, and on a mongos. */
  dataMembers: number | null;
  /** Whether a majority acknowledges writes that are on disk; null as above. */
  isJournaled: boolean | null;
  /** How long a backup can read one snapshot, null as above. */
  snapshotSeconds: number | null;
}

export interface ServiceObservation {
  unfinishedRestore: UnfinishedRestore | null;
  pendingMigrations: string[];
  /** Committed events that NATS has not acknowledged, at most 10,000. */
  outboxPending: number;
  outboxOldestMs: number | null;
  /** The positions that the service's consumer has recorded in its database. */
  positions: Record<string, StreamPosition>;
}

export interface Observations extends ServicesObservation {
  atMs: number;
  mongo: MongoObservation | AwayDatabase;
  nats: EventsObservation | Away;
  /** The name of the stream of events, which begins with NATS_PREFIX. */
  natsStream: string;
  /** How many nodes of NATS shall store it. */
  natsReplicas: number;
  /** Servers in NATS_URL that are alone and do not sync before they acknowledge, if they say so. */
  natsUnsynced: string[];
  /** Each server in REDIS_URL, or each sentinel and the master; null without that variable. */
  redis: Record<string, RedisObservation | Away> | null;
  /** The database of each service; missing while MongoDB is away. */
  databases: Partial<Record<StoringService, ServiceObservation | AwayDatabase>>;
  auditStopped: Record<string, number>;
  webhooksDueSinceMs: number | null;
  /** Endpoints whose secret WEBHOOK_ENCRYPTION_KEYS does not decrypt. */
  unreadableWebhookSecrets: number;
  /** When the certificate of each TLS server that can be reached expires, by host and port. */
  certificates: Record<string, number>;
  access: AccessObservation;
  /** The number of values of each secret that is being rotated. */
  overlaps: Record<string, number>;
  /** When the backup in `--backup`, else the newest that was recorded, was made; null if there is none. */
  backupAtMs: number | Away | null;
}

/** Asks the stores and the services for all that `findingsOf` judges. Changes nothing. */
export async function observe(env: Environment, options: { backup?: string }): Promise<Observations> {
  const atMs = Date.now();
  // All at once: an error of one, such as of a malformed URL, must not wait unhandled for the others.
  const [stored, nats, natsUnsynced, redis, ofServices, certificates, access] = await Promise.all([
    observeDatabases(env, atMs),
    twice(() => observeEvents(env)).catch(awayOrThrow),
    observeNatsSync(env['NATS_URL'] ?? ''),
    env['REDIS_URL'] ? observeRedis(env).catch(unusableUrl) : null,
    observeServices(env),
    observeCertificates(env),
    observeAccess(env),
  ]);
  const { recordedBackupAtMs, ...ofDatabases } = stored;
  return {
    atMs,
    ...ofDatabases,
    nats,
    natsStream: eventStream(env['NATS_PREFIX'] || 'waymark').name,
    natsReplicas: Number(env['NATS_REPLICAS'] || 1),
    natsUnsynced,
    redis,
    ...ofServices,
    certificates,
    access,
    overlaps: overlapsIn(env),
    backupAtMs: options.backup === undefined ? recordedBackupAtMs : await backupTime(options.backup, env),
  };
}

async function observeDatabases(env: Environment, atMs: number) {
  const observed = {
    databases: {} as Observations['databases'],
    auditStopped: {},
    webhooksDueSinceMs: null as number | null,
    unreadableWebhookSecrets: 0,
    recordedBackupAtMs: null as number | null,
  };
  let mongo: Observations['mongo'] = { away: 'no database answered', variable: 'MONGODB_URL' };
  async function observeOne(service: StoringService): Promise<void> {
    const database = openDatabaseOf(service, env);
    try {
      await database.client.connect();
      if ('away' in mongo) mongo = await observeMongo(database);
      observed.databases[service] = await observeDatabase(service, database);
      if (service === 'audit') observed.auditStopped = Object.fromEntries(await countStoppedChains(database));
      if (service === 'transfer') {
        const time = await newestBackupAt(database);
        observed.recordedBackupAtMs = time === null ? null : Date.parse(time);
      }
      if (service === 'webhooks') {
        const since = await oldestDueAt(database, new Date(atMs - mongo.aheadMs).toISOString());
        observed.webhooksDueSinceMs = since === null ? null : Date.parse(since);
        const keys = env['WEBHOOK_ENCRYPTION_KEYS'] ?? '';
        observed.unreadableWebhookSecrets = await countUnreadableSecrets(database, keys);
      }
    } finally {
      await database.close();
    }
  }
  for (const service of storingServices) {
    try {
      await twice(() => observeOne(service));
    } catch (error) {
      const own = `${service.toUpperCase()}_MONGODB_URL`;
      const away = { ...awayOrThrow(error), variable: env[own] ? own : 'MONGODB_URL' };
      // The other databases are on the same servers, and each would be waited for.
      if ('away' in mongo) {
        mongo = away;
        break;
      }
      observed.databases[service] = away;
    }
  }
  return { ...observed, mongo };
}

async function observeMongo({ db, client }: Database): Promise<MongoObservation> {
  const clock = peerClock();
  await readClock(db, [clock]);
  const hello = await db.command({ hello: 1 });
  const { version } = await db.command({ buildInfo: 1 });
  const adminCommand = (command: object) =>
    client
      .db('admin')
      .command(command)
      .catch(() => null);
  const status = await adminCommand({ replSetGetStatus: 1 });
  const configuration = await adminCommand({ replSetGetConfig: 1 });
  const parameters = await adminCommand({ getParameter: 1, minSnapshotHistoryWindowInSeconds: 1 });
  const stats = await db.stats().catch(() => null);
  const members = status?.['members'] as { name: string; stateStr: string }[] | undefined;
  const down = members?.filter(({ stateStr }) => !['PRIMARY', 'SECONDARY', 'ARBITER'].includes(stateStr));
  return {
    version,
    aheadMs: clock.aheadMs() ?? 0,
    hasTransactions: hello['setName'] !== undefined || hello['msg'] === 'isdbgrid',
    membersDown: down ? down.map(({ name, stateStr }) => `${name} (${stateStr})`) : null,
    diskUsed: stats?.['fsTotalSize'] ? stats['fsUsedSize'] / stats['fsTotalSize'] : null,
    dataMembers:
      configuration?.['config'].members.filter(({ arbiterOnly }: { arbiterOnly: boolean }) => !arbiterOnly)
        .length ?? null,
    isJournaled: configuration?.['config'].writeConcernMajorityJournalDefault ?? null,
    snapshotSeconds: parameters?.['minSnapshotHistoryWindowInSeconds'] ?? null,
  };
}

async function observeDatabase(
  service: StoringService,
  { db, collection }: Database,
): Promise<ServiceObservation> {
  const outbox = collection<OutboxRow>(OUTBOX);
  const oldest = await oldestWaiting(outbox);
  const positions = await collection<StreamPosition & { _id: string }>(POSITIONS).find().toArray();
  const schema = await pendingMigrations(db, schemas[service]).catch((error) => {
    if (error instanceof UnfinishedRestoreError) return error.restore;
    throw error;
  });
  return {
    unfinishedRestore: Array.isArray(schema) ? null : schema,
    pendingMigrations: Array.isArray(schema) ? schema : [],
    outboxPending: await countWaiting(outbox),
    outboxOldestMs: oldest === null ? null : timeOfId(oldest),
    positions: Object.fromEntries(positions.map(({ _id, ...position }) => [_id, position])),
  };
}

async function backupTime(name: string, env: Environment): Promise<number | Away> {
  try {
    const { manifest } = await findBackup(await openPlace(name, env), Date.now());
    return Date.parse(timeOfBackup(manifest));
  } catch (error) {
    return { away: (error as Error).message };
  }
}

/** The message of a malformed URL repeats no part of it. */
const unusableUrl = (error: Error) => ({ REDIS_URL: { away: error.message } });

function awayOrThrow(error: unknown): Away {
  if (isUnavailable(error) || isRefusal(error) || error instanceof ApiError)
    return { away: (error as Error).message };
  throw error;
}
