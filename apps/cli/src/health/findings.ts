import type { StoreVariable } from './access.ts';
import {
  alert,
  critical,
  databaseNowMs,
  type Finding,
  isAway,
  outboxCount,
  SKEW_MAX_MS,
  seconds,
  warning,
} from './finding.ts';
import type { Observations } from './observe.ts';
import { ofMongo, ofNats, ofRedis } from './store-findings.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** The thresholds of the alerts of the same topics. */
const LATE_MS = 60 * SECOND_MS;
/** One more than the hours between daily backups, for one that takes long. */
const BACKUP_MAX_MS = DAY_MS + 3_600_000;
/** A client of ACME renews 30 days before the end: something prevents that. */
const CERTIFICATE_MIN_MS = 14 * DAY_MS;

/** Judges the observations; critical findings first. */
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

const RESUME =
  'waymark audit resume --all, which brings back the entries that NATS and the outboxes still have';
/** The text and the command for each reason of a stop. */
const STOPPED = {
  older: { why: 'set back', fix: RESUME },
  missing: { why: 'set back, or heads were deleted', fix: RESUME },
  invalid: {
    why: 'changed, or AUDIT_SIGNING_KEYS lacks a key',
    fix: `add a retired key to AUDIT_SIGNING_KEYS; otherwise find who writes to MongoDB; then ${RESUME}`,
  },
} as const;

function ofDatabases(observed: Observations): Finding[] {
  const { databases, auditStopped, webhooksDueSinceMs, unreadableWebhookSecrets } = observed;
  const found: Finding[] = [];
  const nowMs = databaseNowMs(observed);
  const unfinished = Object.entries(databases).flatMap(([service, database]) =>
    isAway(database) || !database.unfinishedRestore ? [] : [{ service, ...database.unfinishedRestore }],
  );
  if (unfinished[0]) {
    const { backup, command } = unfinished[0];
    const names = unfinished.map(({ service }) => service).join(', ');
    const summary = `the restore of ${backup} has not finished: nothing starts with the databases of ${names}`;
    found.push(critical('Restore', summary, `if it no longer runs: ${command}`));
  }
  for (const [service, database] of Object.entries(databases)) {
    if (isAway(database)) {
      const fix = `correct ${database.variable}`;
      found.push(
        alert('WaymarkStoreDown', `the database of ${service} does not answer: ${database.away}`, fix),
      );
      continue;
    }
    const [first, ...others] = database.pendingMigrations;
    if (first !== undefined) {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      const summary = `${service} has a pending migration: ${first}${more}`;
      found.push(critical('Migrations', summary, 'waymark migrate'));
    }
    const waitedMs = database.outboxOldestMs === null ? 0 : nowMs - database.outboxOldestMs;
    if (waitedMs > LATE_MS) {
      const summary = `${service} has ${outboxCount(database)} committed events that NATS has not accepted`;
      const fix = 'look at the disk and the log of NATS; after a failed write, make space and restart it';
      found.push(alert('WaymarkEventsWaitInOutbox', `${summary}, the oldest for ${seconds(waitedMs)}`, fix));
    }
  }
  for (const [reason, count] of Object.entries(auditStopped)) {
    const { why, fix } = STOPPED[reason as keyof typeof STOPPED];
    const summary = `${count} audit chains accept no entries (${reason}): the audit database was ${why}`;
    found.push(alert('WaymarkAuditChainStopped', summary, fix));
  }
  if (webhooksDueSinceMs !== null && nowMs - webhooksDueSinceMs > LATE_MS) {
    const summary = `a webhook delivery has been due for ${seconds(nowMs - webhooksDueSinceMs)}`;
    const fix =
      'read the log of webhooks for the reason; if it names nothing, add replicas, unless the endpoint has a maxPerSecond of its own';
    found.push(alert('WaymarkWebhooksLate', summary, fix));
  }
  if (unreadableWebhookSecrets > 0) {
    const summary = `WEBHOOK_ENCRYPTION_KEYS does not decrypt the secrets of ${unreadableWebhookSecrets} webhooks, which get nothing`;
    const fix = 'add the key that encrypted them behind the others, and restart webhooks';
    found.push(critical('Secrets', summary, fix));
  }
  return found;
}

function ofServices({ reachable, servicesAheadMs, refusingGateway }: Observations): Finding[] {
  const found: Finding[] = [];
  for (const [name, isReachable] of Object.entries(reachable)) {
    if (isReachable) continue;
    const fix =
      'read its log: the last lines name a wrong variable, a pending migration or a full heap; then kubectl get pods, or docker compose ps';
    found.push(alert('WaymarkServiceGone', `no replica of ${name} answers`, fix));
  }
  for (const [name, aheadMs] of Object.entries(servicesAheadMs)) {
    if (Math.abs(aheadMs) <= SKEW_MAX_MS) continue;
    const direction = aheadMs > 0 ? 'ahead of' : 'behind';
    const summary = `the clock of ${name} is ${seconds(Math.abs(aheadMs))} ${direction} that of this machine`;
    const fix = 'compare `timedatectl` here and on its node, and correct the wrong clock';
    found.push(alert('WaymarkClocksDiffer', summary, fix));
  }
  for (const name of refusingGateway) {
    const summary = `${name} refuses the gateway's identity: its users get 503`;
    const fix = `give ${name} the IDENTITY_PUBLIC_KEYS that belong to GATEWAY_IDENTITY_PRIVATE_KEYS, and restart it`;
    found.push(alert('WaymarkIdentityRefused', summary, fix));
  }
  return found;
}

/** How each store is told to ask for a password. */
const PASSWORDS: Readonly<Record<StoreVariable, { store: string; fix: string }>> = {
  MONGODB_URL: { store: 'MongoDB', fix: 'start mongod with --keyFile or --auth' },
  REDIS_SENTINEL_URL: { store: 'a sentinel of Redis', fix: 'set requirepass in its configuration' },
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
    const summary = `the server in ${name} answers requests without an identity: it is not ${service}`;
    found.push(critical('Access', summary, `correct ${name}`));
  }
  for (const variable of withoutPassword) {
    const { store, fix } = PASSWORDS[variable];
    const summary = `${store} accepts connections without a password, although ${variable} has one`;
    found.push(critical('Access', summary, fix));
  }
  for (const { what, at } of offeredToOthers) {
    const summary = `${what} listens at ${at}, open to everyone who reaches this machine`;
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
    const topic = isOver ? 'WaymarkCertificateExpired' : 'WaymarkCertificateExpires';
    return alert(topic, summary, 'renew it; look at the log of the program that renews it');
  });
}

function ofOperation({ overlaps, backupAtMs, atMs }: Observations): Finding[] {
  const found = Object.entries(overlaps).map(([name, count]) => {
    const fix = `restart the services with it, then waymark secrets retire ${name}`;
    return warning('Secrets', `${name} has ${count} values: a rotation is under way`, fix);
  });
  const fix = 'waymark backup <empty folder or s3://bucket/prefix>';
  if (backupAtMs === null) return found;
  if (isAway(backupAtMs)) found.push(alert('WaymarkBackupOld', backupAtMs.away, fix));
  else if (atMs - backupAtMs > BACKUP_MAX_MS) {
    found.push(alert('WaymarkBackupOld', `the backup is from ${new Date(backupAtMs).toISOString()}`, fix));
  }
  return found;
}
