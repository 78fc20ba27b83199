import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../process/tcp-probe.ts';
import { prepareReplicaSet, REPLICA_SET } from './replica-set.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';

/** Enough that tests and benches do not measure the disk. */
const CACHE_GB = 1;
const OPLOG_MB = 1024;
/** MongoDB's default. It drops nothing from the oplog between two checkpoints. */
const CHECKPOINT_SECONDS = 60;

/** Starts mongod as the primary of a replica set of one, so that transactions and change streams work. */
export function startMongo({
  cacheGb = CACHE_GB,
  oplogMb = OPLOG_MB,
  checkpointSeconds = CHECKPOINT_SECONDS,
  ...options
}: StoreOptions & {
  cacheGb?: number | undefined;
  oplogMb?: number;
  checkpointSeconds?: number;
}): Promise<StoreProcess> {
  return startStore(
    {
      name: 'mongodb',
      args({ port, host, dataDir }) {
        const dbpath = join(dataDir, 'db');
        mkdirSync(dbpath, { recursive: true });
        return [
          ...['--port', String(port), '--bind_ip', host, '--dbpath', dbpath, '--replSet', REPLICA_SET],
          ...['--wiredTigerCacheSizeGB', String(cacheGb), '--oplogSize', String(oplogMb)],
          ...['--syncdelay', String(checkpointSeconds)],
          ...['--nounixsocket', '--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
          // How long the locks of a process that died in a transaction remain; the default is a minute.
          ...['--setParameter', 'transactionLifetimeLimitSeconds=15'],
        ];
      },
      isReady: (port) => probe({ port }),
      prepare: prepareReplicaSet,
      url: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`,
    },
    options,
  );
}
