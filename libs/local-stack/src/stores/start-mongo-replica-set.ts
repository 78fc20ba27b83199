import { join } from 'node:path';
import { type ClusterOptions, startCluster } from './cluster.ts';
import { initiateReplicaSet, primaryOf, REPLICA_SET } from './replica-set.ts';
import { startMongo } from './start-mongo.ts';
import type { StoreProcess } from './store-process.ts';

export type MongoReplicaSet = {
  /** The URL with the address of every member. */
  url: string;
  members: readonly StoreProcess[];
  /** The member that accepts writes now. */
  primary(): Promise<StoreProcess>;
  stop(): Promise<void>;
};

const MEMBERS = 3;
const CACHE_GB = 0.25;

/**
 * Starts a replica set of three members on this machine and waits for its primary.
 * @throws Error when mongod cannot be run as a process of this machine, or no member becomes primary within
 * 30 s.
 */
export function startMongoReplicaSet(options: ClusterOptions): Promise<MongoReplicaSet> {
  return startCluster('mongo', options, async (binary, members) => {
    for (let i = 0; i < MEMBERS; i += 1) {
      const dataDir = join(options.dataDir, `member-${i}`);
      members.push(await startMongo({ binary, dataDir, cacheGb: CACHE_GB, ofSeveral: true }));
    }
    const ports = members.map(({ port }) => port);
    await initiateReplicaSet(ports);
    const hosts = ports.map((port) => `127.0.0.1:${port}`);
    return {
      url: `mongodb://${hosts.join(',')}/?replicaSet=${REPLICA_SET}`,
      members,
      primary: async () => members[hosts.indexOf(await primaryOf(ports))]!,
    };
  });
}
