import { join } from 'node:path';
import { acquireBinary } from '../acquire/acquire-binary.ts';
import { storeBinaries } from '../acquire/binaries.ts';
import { initiateReplicaSet, primaryOf, REPLICA_SET } from './replica-set.ts';
import { startMongo } from './start-mongo.ts';
import type { StoreProcess } from './store-process.ts';

export type MongoReplicaSet = {
  /** Names every member. */
  url: string;
  members: readonly StoreProcess[];
  /** The member that takes writes now. */
  primary(): Promise<StoreProcess>;
  stop(): Promise<void>;
};

const MEMBERS = 3;
const CACHE_GB = 0.25;

/**
 * Starts a replica set of three members on this machine and waits for its primary.
 * @throws Error when mongod cannot be had as a process of this machine, or no member becomes primary within 30 s.
 */
export async function startMongoReplicaSet(options: {
  /** The checkout: a fetched server is kept in its .waymark/bin. */
  root: string;
  dataDir: string;
}): Promise<MongoReplicaSet> {
  const say = (line: string) => console.error(line);
  const binary = await acquireBinary(storeBinaries.mongo, join(options.root, '.waymark', 'bin'), say);
  // Members tell clients each other's addresses, which are others inside containers.
  if (typeof binary !== 'string') throw new Error('a replica set of several needs mongod on this machine');
  const members: StoreProcess[] = [];
  const stop = async () => {
    await Promise.all(members.map((member) => member.kill()));
  };
  try {
    for (let i = 0; i < MEMBERS; i += 1) {
      const dataDir = join(options.dataDir, `member-${i}`);
      members.push(await startMongo({ binary, dataDir, cacheGb: CACHE_GB, ofSeveral: true }));
    }
    await initiateReplicaSet(members.map(({ port }) => port));
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
  return {
    url: `mongodb://${hosts.join(',')}/?replicaSet=${REPLICA_SET}`,
    members,
    async primary() {
      const host = await primaryOf(members.map(({ port }) => port));
      return members[hosts.indexOf(host)]!;
    },
    stop,
  };
}
