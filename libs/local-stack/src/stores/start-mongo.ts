import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../process/tcp-probe.ts';
import { prepareReplicaSet, REPLICA_SET } from './replica-set.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';

export type MongoOptions = StoreOptions & {
  /** Default 1. */
  cacheGb?: number;
  /** Whether the caller adds this member to a replica set of several. */
  ofSeveral?: boolean;
};

const OPLOG_MB = 1024;

/**
 * Starts mongod as a one-node replica set, so that transactions and change streams work, and waits for the
 * primary.
 */
export function startMongo({
  cacheGb = 1,
  ofSeveral = false,
  ...options
}: MongoOptions): Promise<StoreProcess> {
  return startStore(
    {
      name: 'mongodb',
      args({ port, host, dataDir }) {
        const dbpath = join(dataDir, 'db');
        mkdirSync(dbpath, { recursive: true });
        return [
          ...['--port', String(port), '--bind_ip', host, '--dbpath', dbpath, '--replSet', REPLICA_SET],
          ...['--wiredTigerCacheSizeGB', String(cacheGb), '--oplogSize', String(OPLOG_MB)],
          ...['--nounixsocket', '--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
          // How long the locks of a process that died in a transaction remain; the default is a minute.
          ...['--setParameter', 'transactionLifetimeLimitSeconds=15'],
        ];
      },
      isReady: (port) => probe({ port }),
      ...(!ofSeveral && { prepare: prepareReplicaSet }),
      url: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`,
    },
    options,
  );
}
