import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { findingsOf } from './findings.ts';
import type { MongoObservation, Observations, ServiceObservation } from './observe.ts';
import { REDIS_SEVERITY, severities } from './severities.ts';

const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const created = '2026-11-01T00:00:00Z';
const at = (sequence: number) => ({ stream: created, sequence });

const mongo: MongoObservation = {
  version: '6.0.28',
  aheadMs: 0,
  hasTransactions: true,
  membersDown: [],
  diskUsed: 0.3,
  dataMembers: 3,
  isJournaled: true,
  snapshotSeconds: 300,
};
const nats = {
  version: '2.14.6',
  stream: { created, bytes: 1_000, maxBytes: 10_000, replicas: 3, replicasDown: [], events: 10 },
  consumers: ['audit', 'event_log', 'notifications', 'search', 'threads', 'webhooks'].map((name) => ({
    name,
    lag: 3,
    recorded: at(7),
  })),
  parked: {},
};
const lagging = { name: 'audit', lag: 5_001, recorded: at(7) };
const redis = { version: '7.4.11', isEvicting: false, memoryUsed: 0.1 };
const database: ServiceObservation = {
  unfinishedRestore: null,
  pendingMigrations: [],
  outboxPending: 2,
  outboxOldestMs: NOW_MS - 1_000,
  positions: {
    ...{ audit: at(9), event_log: at(7), notifications: at(7) },
    ...{ search: at(7), threads: at(7), webhooks: at(7) },
  },
};
const unfinished: ServiceObservation = {
  ...database,
  unfinishedRestore: { _id: 'restore', backup: '/backup', command: 'waymark restore /backup --again' },
};
const healthy: Observations = {
  atMs: NOW_MS,
  mongo,
  nats,
  natsStream: 'blue_events',
  natsReplicas: 3,
  natsUnsynced: [],
  redis: { 'a:6379': redis },
  databases: {
    ...{ audit: database, notifications: database, search: database },
    ...{ threads: database, webhooks: database },
  },
  auditStopped: {},
  webhooksDueSinceMs: NOW_MS - 30_000,
  unreadableWebhookSecrets: 0,
  reachable: { gateway: true, audit: true },
  servicesAheadMs: { gateway: 900, audit: -4_900 },
  refusingGateway: [],
  access: { reachedDenied: [], withoutIdentity: [], withoutPassword: [], offeredToOthers: [] },
  certificates: { 'waymark.example.com:443': NOW_MS + 30 * 86_400_000 },
  overlaps: {},
  backupAtMs: NOW_MS - 3_600_000,
};

interface Rule {
  alert?: string;
  labels: { severity: string };
}

const ofStream = (change: object) => ({ nats: { ...nats, stream: { ...nats.stream, ...change } } });
const ofConsumers = (consumers: typeof nats.consumers) => ({ nats: { ...nats, consumers } });
const ofDatabase = (
  name: string,
  change: Partial<ServiceObservation> | { away: string; variable: string },
) => ({
  databases: { ...healthy.databases, [name]: { ...database, ...change } },
});
const ofAccess = (change: object) => ({ access: { ...healthy.access, ...change } });
const offered = (what: string) => ofAccess({ offeredToOthers: [{ what, at: '192.0.2.1:8086' }] });

describe('findingsOf', () => {
  it('finds nothing in a healthy installation', () => {
    expect(findingsOf(healthy)).toEqual([]);
  });

  it.each<[topic: string, level: string, fix: string, change: Partial<Observations>]>([
    [
      'WaymarkStoreDown',
      'critical',
      'AUDIT_MONGODB_URL',
      { mongo: { away: 'refused', variable: 'AUDIT_MONGODB_URL' }, databases: {} },
    ],
    ['Stores', 'critical', 'upgrade', { mongo: { ...mongo, version: '5.0.1' } }],
    ['Stores', 'critical', 'replSet', { mongo: { ...mongo, hasTransactions: false } }],
    ['Stores', 'warning', 'rs.status()', { mongo: { ...mongo, membersDown: ['b:27017 (DOWN)'] } }],
    ['Stores', 'warning', 'enlarge', { mongo: { ...mongo, diskUsed: 0.81 } }],
    ['WaymarkClocksDiffer', 'critical', 'timedatectl', { mongo: { ...mongo, aheadMs: -6_000 } }],
    ['Stores', 'critical', 'rs.reconfig()', { mongo: { ...mongo, isJournaled: false } }],
    ['Stores', 'warning', 'third member', { mongo: { ...mongo, dataMembers: 2 } }],
    ['Stores', 'warning', 'InSeconds: 300', { mongo: { ...mongo, snapshotSeconds: 5 } }],
    ['Stores', 'warning', 'edit blue_events --replicas 5', { natsReplicas: 5 }],
    ['Stores', 'warning', 'nats server list', ofStream({ replicasDown: ['n3'] })],
    ['Stores', 'warning', 'sync_interval: always', { natsUnsynced: ['nats'] }],
    ['WaymarkStoreDown', 'critical', 'NATS_URL', { nats: { away: 'NATS is away' } }],
    ['WaymarkStoreDown', 'warning', 'REDIS_URL', { redis: { 'a:6379': { away: 'refused' } } }],
    ['WaymarkStoreDown', 'warning', 'REDIS_SENTINEL_URL', { redis: { 'sentinel a:1': { away: 'refused' } } }],
    ['Stores', 'warning', 'noeviction', { redis: { 'a:6379': { ...redis, isEvicting: true } } }],
    ['Stores', 'warning', 'maxmemory', { redis: { 'a:6379': { ...redis, memoryUsed: 0.81 } } }],
    ['Stores', 'critical', 'upgrade', { nats: { ...nats, version: '2.9.25' } }],
    ['WaymarkConsumerGone', 'critical', 'NATS_PREFIX', { nats: { ...nats, stream: null, consumers: [] } }],
    ['WaymarkStreamFills', 'warning', 'max-bytes', ofStream({ bytes: 8_001 })],
    ['WaymarkConsumerGone', 'critical', 'webhooks', ofConsumers(nats.consumers.slice(0, -1))],
    ['WaymarkConsumerLags', 'warning', 'replicas of audit', ofConsumers(nats.consumers.with(0, lagging))],
    [
      'WaymarkEventParked',
      'critical',
      'waymark events discard',
      { nats: { ...nats, parked: { search: 2 } } },
    ],
    [
      'WaymarkDatabaseOlder',
      'critical',
      'waymark events refill search',
      ofDatabase('search', { positions: { search: at(6) } }),
    ],
    [
      'WaymarkDatabaseOlder',
      'critical',
      'waymark audit refill',
      ofDatabase('audit', { positions: { event_log: at(7) } }),
    ],
    [
      'Restore',
      'critical',
      'waymark restore /backup --again',
      { databases: { ...healthy.databases, audit: unfinished, search: unfinished } },
    ],
    ['Migrations', 'critical', 'waymark migrate', ofDatabase('audit', { pendingMigrations: ['step 3'] })],
    [
      'WaymarkEventsWaitInOutbox',
      'critical',
      'NATS',
      ofDatabase('audit', { outboxOldestMs: NOW_MS - 61_000 }),
    ],
    [
      'WaymarkStoreDown',
      'critical',
      'correct MONGODB_URL',
      ofDatabase('threads', { away: 'not authorized', variable: 'MONGODB_URL' }),
    ],
    ['WaymarkAuditChainStopped', 'critical', 'retired key', { auditStopped: { invalid: 1 } }],
    ['WaymarkAuditChainStopped', 'critical', 'brings back', { auditStopped: { older: 1 } }],
    ['WaymarkAuditChainStopped', 'critical', 'brings back', { auditStopped: { missing: 1 } }],
    ['WaymarkWebhooksLate', 'warning', 'the log of webhooks', { webhooksDueSinceMs: NOW_MS - 61_000 }],
    ['Secrets', 'critical', 'restart webhooks', { unreadableWebhookSecrets: 1 }],
    ['WaymarkServiceGone', 'critical', 'kubectl get pods', { reachable: { search: false } }],
    ['WaymarkClocksDiffer', 'critical', 'timedatectl', { servicesAheadMs: { audit: 5_100 } }],
    ['WaymarkClocksDiffer', 'critical', 'timedatectl', { servicesAheadMs: { search: -5_100 } }],
    ['WaymarkIdentityRefused', 'critical', 'IDENTITY_PUBLIC_KEYS', { refusingGateway: ['transfer'] }],
    ['Access', 'warning', 'CNI', ofAccess({ reachedDenied: ['10.96.0.1:443'] })],
    ['Access', 'critical', 'AUDIT_URL', ofAccess({ withoutIdentity: ['audit'] })],
    ['Access', 'critical', 'keyFile', ofAccess({ withoutPassword: ['MONGODB_URL'] })],
    ['Access', 'warning', 'HOST=127.0.0.1', offered('audit')],
    ['Access', 'critical', 'bind it', offered('Redis')],
    [
      'WaymarkCertificateExpires',
      'warning',
      'renew',
      { certificates: { 'a:443': NOW_MS + 13 * 86_400_000 } },
    ],
    ['WaymarkCertificateExpired', 'critical', 'renew', { certificates: { 'a:443': NOW_MS - 1_000 } }],
    ['Secrets', 'warning', 'waymark secrets retire CURSOR_SECRETS', { overlaps: { CURSOR_SECRETS: 2 } }],
    ['WaymarkBackupOld', 'critical', 'waymark backup', { backupAtMs: NOW_MS - 26 * 3_600_000 }],
    ['WaymarkBackupOld', 'critical', 'waymark backup', { backupAtMs: { away: '/backup has no backup' } }],
  ])('finds %s, %s, with the fix %s', (topic, level, fix, change) => {
    expect(findingsOf({ ...healthy, ...change })).toEqual([
      { level, topic, summary: expect.any(String), fix: expect.stringContaining(fix) },
    ]);
  });

  it('names the consumers of parked events once', () => {
    const found = findingsOf({ ...healthy, nats: { ...nats, parked: { audit: 2, search: 1 } } });
    expect(found.map(({ summary }) => summary)).toEqual([
      'events that cannot be handled are parked: 2 of audit, 1 of search',
    ]);
  });

  it('says that it counts waiting events only to a limit', () => {
    const full = { ...database, outboxPending: 10_000, outboxOldestMs: NOW_MS - 61_000 };
    const [{ summary } = { summary: '' }] = findingsOf({ ...healthy, databases: { audit: full } });
    expect(summary).toContain('audit has at least 10,000 committed events');
  });

  it('names one of many pending migrations', () => {
    const pending = { ...database, pendingMigrations: ['step 3', 'step 4', 'step 5'] };
    const [found] = findingsOf({ ...healthy, databases: { audit: pending } });
    expect(found!.summary).toBe('audit has a pending migration: step 3 and 2 more');
  });

  it('counts time by MongoDB, and names what is critical first', () => {
    const ahead = { ...mongo, aheadMs: 3_600_000 };
    const pending = { ...database, outboxOldestMs: NOW_MS - 3_600_000 };
    const found = findingsOf({
      ...healthy,
      mongo: ahead,
      databases: { decisions: pending },
      webhooksDueSinceMs: NOW_MS - 3_600_000,
      overlaps: { CURSOR_SECRETS: 2 },
    });
    expect(found.map(({ level, topic }) => [level, topic])).toEqual([
      ['critical', 'WaymarkClocksDiffer'],
      ['warning', 'Secrets'],
    ]);
  });

  it('is as severe as the alerts of the chart', () => {
    const files = ['alerts.yaml', 'backup-alerts.yaml'].map((file) => {
      const url = new URL(`../../../../deploy/helm/waymark/files/${file}`, import.meta.url);
      return parse(readFileSync(url, 'utf8'));
    });
    const rules: Rule[] = [...files[0].groups, ...files[1]].flatMap((group) => group.rules);
    const alerts = rules.flatMap(({ alert, labels }) => (alert ? [[alert, labels.severity]] : []));
    const byStore = `{{ if eq $labels.store "redis" }}${REDIS_SEVERITY}{{ else }}${severities.WaymarkStoreDown}{{ end }}`;
    expect(Object.fromEntries(alerts)).toEqual({ ...severities, WaymarkStoreDown: byStore });
  });
});
