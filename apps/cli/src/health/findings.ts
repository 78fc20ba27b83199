import { isBefore } from '@waymark/service-kit/store';
import type { StoreVariable } from './access.ts';
import type { Away, MongoObservation, Observations } from './observe.ts';

/** What is wrong, in the words of the alert of that name, and what to do. */
export interface Finding {
  level: 'critical' | 'warning';
  /** The heading in docs/operating.md that says more. */
  topic: string;
  summary: string;
  fix: string;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** The thresholds of the alerts of the same topics. */
const SKEW_MAX_MS = 5 * SECOND_MS;
const OUTBOX_MAX = 100;
const LAG_MAX = 5_000;
const LATE_MS = 60 * SECOND_MS;
const STREAM_SHARE_MAX = 0.8;
const DISK_SHARE_MAX = 0.8;
const MEMORY_SHARE_MAX = 0.8;
const MONGODB_MIN = 6;
const NATS_MIN = [2, 10] as const;
/** One more than the hours between daily backups, for one that takes long. */
const BACKUP_MAX_MS = DAY_MS + 3_600_000;
/** A client of ACME renews 30 days before the end: something prevents that. */
const CERTIFICATE_MIN_MS = 14 * DAY_MS;
/** The service of each consumer. */
export const CONSUMERS = {
  audit: 'audit',
  event_log: 'audit',
  search: 'search',
  threads: 'threads',
  webhooks: 'webhooks',
} as const;

export const isAway = <T>(observed: T | Away): observed is Away =>
  typeof observed === 'object' && observed !== null && 'away' in observed;

/** Judges what was observed; critical findings first. */
export function findingsOf(observed: Observations): Finding[] {
  const found = [
    ...ofMongo(observed.mongo),
    ...ofNats(observed),
    ...ofRedis(observed),
    ...ofDatabases(observed),
    ...ofServices(observed),
    ...ofAccess(observed),
    ...ofCertificates(observed),
    ...ofOperation(observed),
  ];
  return found.sort((a, b) => a.level.localeCompare(b.level));
}

function critical(topic: string, summary: string, fix: string): Finding {
  return { level: 'critical', topic, summary, fix };
}

function warning(topic: string, summary: string, fix: string): Finding {
  return { level: 'warning', topic, summary, fix };
}

function ofMongo(mongo: MongoObservation | Away): Finding[] {
  if (isAway(mongo)) {
    return [
      critical(
        'WaymarkStoreDown',
        `MongoDB does not answer: ${mongo.away}`,
        'start it, or correct MONGODB_URL',
      ),
    ];
  }
  const found: Finding[] = [];
  if (Number.parseInt(mongo.version, 10) < MONGODB_MIN) {
    const summary = `MongoDB ${mongo.version} is older than ${MONGODB_MIN}.0`;
    found.push(critical('Stores', summary, 'upgrade MongoDB'));
  }
  if (!mongo.hasTransactions) {
    const summary = 'MongoDB is not a replica set: it has no transactions, and every write fails';
    found.push(critical('Stores', summary, 'start mongod with --replSet and run rs.initiate()'));
  }
  if (mongo.membersDown?.length) {
    const summary = `members of the replica set are down: ${mongo.membersDown.join(', ')}`;
    found.push(warning('WaymarkStoreDown', summary, 'look at rs.status() and their logs'));
  }
  if (mongo.diskUsed !== null && mongo.diskUsed > DISK_SHARE_MAX) {
    const summary = `the disk of MongoDB is ${Math.round(mongo.diskUsed * 100)}% full`;
    found.push(warning('Stores', summary, 'enlarge the volume'));
  }
  if (Math.abs(mongo.aheadMs) > SKEW_MAX_MS) {
    const summary = `the clock of this machine differs from that of mongodb by ${seconds(mongo.aheadMs)}`;
    found.push(
      critical('WaymarkClocksDiffer', summary, 'compare `timedatectl` here and on the nodes of MongoDB'),
    );
  }
  return found;
}

function ofNats({ nats, databases }: Observations): Finding[] {
  if (isAway(nats)) return [critical('WaymarkStoreDown', nats.away, 'start NATS, or correct NATS_URL')];
  const found: Finding[] = [];
  const [major = 0, minor = 0] = nats.version.split('.').map(Number);
  if (major < NATS_MIN[0] || (major === NATS_MIN[0] && minor < NATS_MIN[1])) {
    const summary = `NATS ${nats.version} is older than ${NATS_MIN.join('.')}`;
    found.push(critical('Stores', summary, 'upgrade NATS'));
  }
  if (!nats.stream) {
    const summary = 'NATS has no event stream: no service with this NATS_PREFIX has connected yet';
    found.push(critical('WaymarkConsumerGone', summary, 'start the services; compare NATS_PREFIX'));
    return found;
  }
  const { bytes, maxBytes } = nats.stream;
  if (maxBytes > 0 && bytes > STREAM_SHARE_MAX * maxBytes) {
    const summary = `the event stream is ${Math.round((bytes / maxBytes) * 100)}% full`;
    found.push(warning('WaymarkStreamFills', summary, 'nats stream edit waymark_events --max-bytes 16GiB'));
  }
  for (const [name, service] of Object.entries(CONSUMERS)) {
    const consumer = nats.consumers.find((one) => one.name === name);
    if (!consumer) {
      const fix = `look at the log of ${service}`;
      found.push(critical('WaymarkConsumerGone', `${name} does not consume events`, fix));
    } else if (consumer.lag > LAG_MAX) {
      const fix = `add replicas of ${service}; its log says whether events are retried`;
      found.push(warning('WaymarkConsumerLags', `${consumer.lag} events wait for ${name}`, fix));
    }
    const database = databases[service];
    const recorded = consumer?.recorded;
    // As consumer-position.ts decides it.
    const isOlder =
      database &&
      !isAway(database) &&
      recorded?.stream === nats.stream.created &&
      isBefore(database.positions[name] ?? null, recorded);
    if (isOlder) {
      const fix = name === 'audit' ? 'waymark audit refill' : `waymark events refill ${name}`;
      const summary = `the database of ${service} is older than the event stream: it was set back`;
      found.push(critical('WaymarkDatabaseOlder', summary, fix));
    }
  }
  for (const [consumer, count] of Object.entries(nats.parked)) {
    const summary = `${consumer} has parked ${count} event${count === 1 ? '' : 's'} that it cannot handle`;
    const fix =
      'waymark events parked names the cause: discard events that no service sent (waymark events discard <numbers>); otherwise fix it, then waymark events replay --all';
    found.push(warning('WaymarkEventParked', summary, fix));
  }
  return found;
}

function ofRedis({ redis }: Observations): Finding[] {
  return Object.entries(redis ?? {}).flatMap(([server, state]) => {
    if (isAway(state)) {
      const summary = `Redis at ${server} does not answer: ${state.away}; each gateway limits by itself`;
      return [critical('WaymarkStoreDown', summary, 'start it, or correct REDIS_URL')];
    }
    const found: Finding[] = [];
    if (state.isEvicting) {
      const summary = `Redis at ${server} drops keys when its memory is full: their callers exceed their limits`;
      found.push(warning('Stores', summary, 'set maxmemory-policy noeviction'));
    }
    if (state.memoryUsed > MEMORY_SHARE_MAX) {
      const summary = `the memory of Redis at ${server} is ${Math.round(state.memoryUsed * 100)}% full`;
      found.push(warning('Stores', summary, 'raise maxmemory'));
    }
    return found;
  });
}

function ofDatabases({ databases, atMs, mongo, auditStopped, webhooksDueSinceMs }: Observations): Finding[] {
  const found: Finding[] = [];
  const nowMs = isAway(mongo) ? atMs : atMs - mongo.aheadMs;
  for (const [service, observed] of Object.entries(databases)) {
    if (isAway(observed)) {
      const fix = `correct ${service.toUpperCase()}_MONGODB_URL`;
      found.push(
        critical('WaymarkStoreDown', `the database of ${service} does not answer: ${observed.away}`, fix),
      );
      continue;
    }
    if (observed.pendingMigrations.length > 0) {
      const summary = `${service} has pending migrations: ${observed.pendingMigrations.join(', ')}`;
      found.push(critical('Migrations', summary, 'waymark migrate'));
    }
    const waitedMs = observed.outboxOldestMs === null ? 0 : nowMs - observed.outboxOldestMs;
    if (observed.outboxPending > OUTBOX_MAX || waitedMs > LATE_MS) {
      const summary = `${service} has ${observed.outboxPending} committed events that NATS has not accepted`;
      const fix = 'look at the disk and the log of NATS; after a failed write, make space and restart it';
      found.push(
        critical('WaymarkEventsWaitInOutbox', `${summary}, the oldest for ${seconds(waitedMs)}`, fix),
      );
    }
  }
  for (const [reason, count] of Object.entries(auditStopped)) {
    const summary = `${count} audit chains accept no entries (${reason}): the audit database was changed or set back`;
    found.push(
      critical('WaymarkAuditChainStopped', summary, 'find the cause, then waymark audit resume --all'),
    );
  }
  if (webhooksDueSinceMs !== null && nowMs - webhooksDueSinceMs > LATE_MS) {
    const summary = `a webhook delivery has been due for ${seconds(nowMs - webhooksDueSinceMs)}`;
    const fix = 'add replicas of webhooks, unless the endpoint has a maxPerSecond of its own';
    found.push(warning('WaymarkWebhooksLate', summary, fix));
  }
  return found;
}

function ofServices({ reachable, servicesAheadMs, refusingGateway }: Observations): Finding[] {
  const found: Finding[] = [];
  for (const [name, isReachable] of Object.entries(reachable)) {
    if (isReachable) continue;
    const fix =
      'read its log: the last line names a wrong variable; then kubectl get pods, or docker compose ps';
    found.push(critical('WaymarkServiceGone', `no replica of ${name} answers`, fix));
  }
  for (const [name, aheadMs] of Object.entries(servicesAheadMs)) {
    if (Math.abs(aheadMs) <= SKEW_MAX_MS) continue;
    const direction = aheadMs > 0 ? 'ahead of' : 'behind';
    const summary = `the clock of ${name} is ${seconds(Math.abs(aheadMs))} ${direction} that of this machine`;
    const fix = 'compare `timedatectl` here and on its node, and correct the wrong clock';
    found.push(critical('WaymarkClocksDiffer', summary, fix));
  }
  for (const name of refusingGateway) {
    const summary = `${name} refuses the gateway's identity: its users get 401`;
    const fix = `give ${name} the IDENTITY_PUBLIC_KEYS that belong to GATEWAY_IDENTITY_PRIVATE_KEYS, and restart it`;
    found.push(critical('Secrets', summary, fix));
  }
  return found;
}

/** How each store is told to ask for a password. */
const PASSWORDS: Readonly<Record<StoreVariable, { store: string; fix: string }>> = {
  MONGODB_URL: { store: 'MongoDB', fix: 'start mongod with --keyFile or --auth' },
  REDIS_URL: {
    store: 'Redis',
    fix: 'set requirepass, and disable the user default of ACLs without a password',
  },
  NATS_URL: { store: 'NATS', fix: 'set authorization in its configuration, and no no_auth_user' },
};

function ofAccess({ access }: Observations): Finding[] {
  const { reachedDenied, withoutIdentity, withoutPassword, offeredToOthers } = access;
  const found: Finding[] = [];
  if (reachedDenied.length > 0) {
    const summary = `this pod reaches ${reachedDenied.join(', ')}, which NetworkPolicies deny: the cluster does not enforce them`;
    found.push(warning('Access', summary, 'use a CNI plugin that enforces them; kubectl get networkpolicy'));
  }
  for (const service of withoutIdentity) {
    const name = `${service.toUpperCase()}_URL`;
    const summary = `what ${name} names answers requests without an identity: it is not ${service}`;
    found.push(critical('Access', summary, `correct ${name}`));
  }
  for (const variable of withoutPassword) {
    const { store, fix } = PASSWORDS[variable];
    const summary = `${store} accepts whoever has no password, although ${variable} has one`;
    found.push(critical('Access', summary, fix));
  }
  for (const { what, at } of offeredToOthers) {
    const summary = `${what} listens at ${at}, for everyone who reaches this machine`;
    const isStore = Object.values(PASSWORDS).some(({ store }) => store === what);
    const fix = isStore ? 'bind it to 127.0.0.1, or give it a password' : 'set HOST=127.0.0.1';
    found.push((isStore ? critical : warning)('Access', summary, fix));
  }
  return found;
}

function ofCertificates({ certificates, atMs }: Observations): Finding[] {
  const ending = Object.entries(certificates).filter(([, endsAtMs]) => endsAtMs - atMs < CERTIFICATE_MIN_MS);
  return ending.map(([server, endsAtMs]) => {
    const isOver = endsAtMs <= atMs;
    const summary = `the certificate of ${server} ${isOver ? 'expired' : 'expires'} at ${new Date(endsAtMs).toISOString()}`;
    return (isOver ? critical : warning)(
      'Certificates',
      summary,
      'renew it; look at the log of what renews it',
    );
  });
}

function ofOperation({ overlaps, backupAtMs, atMs }: Observations): Finding[] {
  const found = Object.entries(overlaps).map(([name, count]) => {
    const fix = `restart the services with it, then waymark secrets retire ${name}`;
    return warning('Secrets', `${name} has ${count} values: a rotation is under way`, fix);
  });
  const fix = 'waymark backup <empty folder or s3://bucket/prefix>';
  if (backupAtMs === null) return found;
  if (isAway(backupAtMs)) found.push(critical('WaymarkBackupOld', backupAtMs.away, fix));
  else if (atMs - backupAtMs > BACKUP_MAX_MS) {
    found.push(warning('WaymarkBackupOld', `the backup is from ${new Date(backupAtMs).toISOString()}`, fix));
  }
  return found;
}

function seconds(ms: number): string {
  const whole = Math.round(Math.abs(ms) / SECOND_MS);
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
