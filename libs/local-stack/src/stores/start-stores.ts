import { resolve } from 'node:path';
import { acquireBinary } from '../acquire/acquire-binary.ts';
import { type StoreName, storeBinaries } from '../acquire/binaries.ts';
import type { Log } from '../process/run-command.ts';
import { checkGivenStore } from './given-store.ts';
import { startMongo } from './start-mongo.ts';
import { startNats } from './start-nats.ts';
import { startRedis } from './start-redis.ts';
import type { StoreProcess } from './store-process.ts';

type StoresOptions = {
  /** The folder that contains a folder for each store. */
  dataDir: string;
  log: Log;
  /** The ports of the stores; the others are chosen among free ones. */
  ports?: Partial<Record<StoreName, number>>;
  /** The size of MongoDB's cache, at least 0.25; default 1. */
  cacheGb?: number;
  /** Lines of the configuration of NATS. */
  natsSettings?: readonly string[];
  /** The data is removed afterwards: `acquireBinary` then prefers the versions that installations run. */
  temporary?: boolean;
  /** The environment with MONGODB_URL, REDIS_URL and NATS_URL; defaults to process.env. */
  env?: Readonly<Record<string, string | undefined>>;
};

/** The three stores. A process is undefined when its URL was given; such a store is not stopped. */
export type Stores = {
  mongoUrl: string;
  redisUrl: string;
  natsUrl: string;
  mongo: StoreProcess | undefined;
  redis: StoreProcess | undefined;
  nats: StoreProcess | undefined;
  /** Stops the started stores; the data stays. */
  stop(): Promise<void>;
};

const starters = { mongo: startMongo, redis: startRedis, nats: startNats };

/**
 * Starts MongoDB (a replica set of one), Redis and NATS with JetStream in parallel, unless the environment
 * names their URLs. `acquireBinary` finds their servers.
 * @throws Error with a line for each store that did not start, after stopping the others.
 */
export async function startStores(options: StoresOptions): Promise<Stores> {
  const starting = [
    startOne('mongo', options),
    startOne('redis', options),
    startOne('nats', options),
  ] as const;
  const results = await Promise.allSettled(starting);
  const stop = async () => {
    await Promise.all(results.map((result) => result.status === 'fulfilled' && result.value.process?.stop()));
  };
  const failures: Error[] = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  if (failures.length > 0) {
    await stop();
    throw new Error(failures.map(({ message }) => message).join('\n'), { cause: failures[0] });
  }
  const [mongo, redis, nats] = await Promise.all(starting);
  return {
    mongoUrl: mongo.url,
    redisUrl: redis.url,
    natsUrl: nats.url,
    mongo: mongo.process,
    redis: redis.process,
    nats: nats.process,
    stop,
  };
}

async function startOne(
  name: StoreName,
  { dataDir, log, ports, cacheGb, natsSettings, temporary, env = process.env }: StoresOptions,
): Promise<{ url: string; process: StoreProcess | undefined }> {
  const given = env[storeBinaries[name].urlVariable];
  if (given) {
    await checkGivenStore(name, given);
    return { url: given, process: undefined };
  }
  const binary = await acquireBinary(name, log, { temporary });
  const dataDirOfStore = resolve(dataDir, name);
  const options = { binary, dataDir: dataDirOfStore, port: ports?.[name], cacheGb, log };
  const started = await starters[name]({ ...options, ...(natsSettings && { settings: natsSettings }) });
  return { url: started.url, process: started };
}
