import { SENTINEL } from '@waymark/gateway/operator';
import { isBefore } from '@waymark/service-kit/store';
import { alert, critical, type Finding, isAway, SKEW_MAX_MS, seconds, warning } from './finding.ts';
import type { Observations } from './observe.ts';
import { REDIS_SEVERITY } from './severities.ts';

/** The thresholds of the alerts of the same topics. */
const LAG_MAX = 5_000;
const STREAM_SHARE_MAX = 0.8;
const DISK_SHARE_MAX = 0.8;
const MEMORY_SHARE_MAX = 0.8;
const MONGODB_MIN = 6;
/** The default of MongoDB. */
const SNAPSHOT_MIN_SECONDS = 300;
const NATS_MIN = [2, 10] as const;
/** The service of each consumer. */
export const CONSUMERS = {
  audit: 'audit',
  event_log: 'audit',
  notifications: 'notifications',
  search: 'search',
  threads: 'threads',
  webhooks: 'webhooks',
} as const;

export function ofMongo(mongo: Observations['mongo']): Finding[] {
  if (isAway(mongo)) {
    return [
      alert(
        'WaymarkStoreDown',
        `MongoDB does not answer: ${mongo.away}`,
        `start it, or correct ${mongo.variable}`,
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
    found.push(warning('Stores', summary, 'look at rs.status() and their logs'));
  }
  if (mongo.diskUsed !== null && mongo.diskUsed > DISK_SHARE_MAX) {
    const summary = `the disk of MongoDB is ${Math.round(mongo.diskUsed * 100)}% full, reserved blocks included, which df leaves out`;
    found.push(warning('Stores', summary, 'enlarge the volume'));
  }
  if (mongo.isJournaled === false) {
    const summary = 'a majority acknowledges writes to MongoDB before they are on disk';
    const fix = 'set writeConcernMajorityJournalDefault to true with rs.reconfig()';
    found.push(critical('Stores', summary, fix));
  }
  if (mongo.dataMembers === 2) {
    const summary = 'two members of the replica set store data: the loss of one stops all writes';
    found.push(warning('Stores', summary, 'add a third member with data to the replica set'));
  }
  if (mongo.snapshotSeconds !== null && mongo.snapshotSeconds < SNAPSHOT_MIN_SECONDS) {
    const summary = `MongoDB keeps snapshots for ${mongo.snapshotSeconds} s: a backup that takes longer fails`;
    const fix = `db.adminCommand({ setParameter: 1, minSnapshotHistoryWindowInSeconds: ${SNAPSHOT_MIN_SECONDS} })`;
    found.push(warning('Stores', summary, fix));
  }
  if (Math.abs(mongo.aheadMs) > SKEW_MAX_MS) {
    const summary = `the clock of this machine differs from that of mongodb by ${seconds(mongo.aheadMs)}`;
    found.push(
      alert('WaymarkClocksDiffer', summary, 'compare `timedatectl` here and on the nodes of MongoDB'),
    );
  }
  return found;
}

export function ofNats({ nats, databases, natsStream, natsReplicas, natsUnsynced }: Observations): Finding[] {
  if (isAway(nats)) return [alert('WaymarkStoreDown', nats.away, 'start NATS, or correct NATS_URL')];
  const found: Finding[] = [];
  const [major = 0, minor = 0] = nats.version.split('.').map(Number);
  if (major < NATS_MIN[0] || (major === NATS_MIN[0] && minor < NATS_MIN[1])) {
    const summary = `NATS ${nats.version} is older than ${NATS_MIN.join('.')}`;
    found.push(critical('Stores', summary, 'upgrade NATS'));
  }
  if (!nats.stream) {
    const summary = 'NATS has no event stream: no service with this NATS_PREFIX has connected yet';
    found.push(alert('WaymarkConsumerGone', summary, 'start the services; compare NATS_PREFIX'));
    return found;
  }
  const { bytes, maxBytes, replicas, replicasDown } = nats.stream;
  if (replicas < natsReplicas) {
    const summary = `${replicas} node of NATS stores the event stream, and NATS_REPLICAS is ${natsReplicas}`;
    const fix = `nats stream edit ${natsStream} --replicas ${natsReplicas}`;
    found.push(warning('Stores', summary, fix));
  }
  if (replicasDown.length > 0) {
    const summary = `nodes of NATS are down, or lack events: ${replicasDown.join(', ')}`;
    found.push(warning('Stores', summary, 'look at their logs; nats server list'));
  }
  for (const server of natsUnsynced) {
    const summary = `NATS at ${server} is alone and acknowledges events before they are on disk`;
    found.push(warning('Stores', summary, 'set sync_interval: always under jetstream in its configuration'));
  }
  if (maxBytes > 0 && bytes > STREAM_SHARE_MAX * maxBytes) {
    const summary = `the event stream is ${Math.round((bytes / maxBytes) * 100)}% full`;
    found.push(alert('WaymarkStreamFills', summary, `nats stream edit ${natsStream} --max-bytes 16GiB`));
  }
  for (const [name, service] of Object.entries(CONSUMERS)) {
    const consumer = nats.consumers.find((one) => one.name === name);
    if (!consumer) {
      const fix = `look at the log of ${service}`;
      found.push(alert('WaymarkConsumerGone', `${name} does not consume events`, fix));
    } else if (consumer.lag > LAG_MAX) {
      const fix = `add replicas of ${service}; its log says whether events are retried`;
      found.push(alert('WaymarkConsumerLags', `${consumer.lag} events wait for ${name}`, fix));
    }
    const database = databases[service];
    const recorded = consumer?.recorded;
    // consumer-position.ts decides in the same way.
    const isOlder =
      database &&
      !isAway(database) &&
      recorded?.stream === nats.stream.created &&
      isBefore(database.positions[name] ?? null, recorded);
    if (isOlder) {
      const fix = name === 'audit' ? 'waymark audit refill' : `waymark events refill ${name}`;
      const summary = `the database of ${service} is older than the event stream: it was set back`;
      found.push(alert('WaymarkDatabaseOlder', summary, fix));
    }
  }
  const parked = Object.entries(nats.parked).map(([consumer, count]) => `${count} of ${consumer}`);
  if (parked.length > 0) {
    const summary = `events that cannot be handled are parked: ${parked.join(', ')}`;
    const fix =
      'waymark events parked names the cause: discard events that no service sent (waymark events discard <numbers>); otherwise fix it, then waymark events replay --all';
    found.push(alert('WaymarkEventParked', summary, fix));
  }
  return found;
}

export function ofRedis({ redis }: Observations): Finding[] {
  return Object.entries(redis ?? {}).flatMap(([server, state]) => {
    if (isAway(state)) {
      const isSentinel = server.startsWith(SENTINEL);
      const effect = isSentinel ? 'others must notice a failed master' : 'each gateway limits by itself';
      const summary = `Redis at ${server} does not answer: ${state.away}; ${effect}`;
      const fix = `start it, or correct ${isSentinel ? 'REDIS_SENTINEL_URL' : 'REDIS_URL'}`;
      const down = alert('WaymarkStoreDown', summary, fix);
      return [{ ...down, level: REDIS_SEVERITY }];
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
