import { join, resolve } from 'node:path';
import { acquireBinary } from '../acquire/acquire-binary.ts';
import { type StoreName, storeBinaries } from '../acquire/binaries.ts';
import { checkGivenStore } from './given-store.ts';
import { startMongo } from './start-mongo.ts';
import { startNats } from './start-nats.ts';
import { startRedis } from './start-redis.ts';
import type { StoreOptions, StoreProcess } from './store-process.ts';

export type StoresOptions = {
  /** The checkout; fetched servers are kept in its .waymark/bin. */
  root: string;
  /** The folder that contains a folder for each store. */
  dataDir: string;
  /** Receives a line for each slow step and for everything that concerns the user. */
  log: (line: string) => void;
  /** The ports of the stores; the others are chosen among free ones. */
  ports?: { mongo?: number; redis?: number; nats?: number };
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

type Started = { url: string; process: StoreProcess | undefined };

const starters: Readonly<Record<StoreName, (options: StoreOptions) => Promise<StoreProcess>>> = {
  mongo: startMongo,
  redis: startRedis,
  nats: startNats,
};

/**
 * Starts MongoDB (a replica set of one), Redis and NATS with JetStream in parallel. Uses for each the first
 * that works: its URL in the environment, a binary on PATH, a container engine, a download, a system package.
 * @throws Error with a line for each store that did not start, after stopping the others.
 */
export async function startStores(options: StoresOptions): Promise<Stores> {
  const names = ['mongo', 'redis', 'nats'] as const;
  const results = await Promise.allSettled(names.map((name) => startOne(name, options)));
  const stop = async () => {
    const processes = results.map((result) =>
      result.status === 'fulfilled' ? result.value.process : undefined,
    );
    await Promise.all(processes.map((process) => process?.stop()));
  };
  const [mongo, redis, nats] = results;
  if (mongo?.status === 'fulfilled' && redis?.status === 'fulfilled' && nats?.status === 'fulfilled') {
    return {
      mongoUrl: mongo.value.url,
      redisUrl: redis.value.url,
      natsUrl: nats.value.url,
      mongo: mongo.value.process,
      redis: redis.value.process,
      nats: nats.value.process,
      stop,
    };
  }
  await stop();
  const failures = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
  throw new Error(failures.map((error: Error) => error.message).join('\n'), { cause: failures[0] });
}

async function startOne(name: StoreName, options: StoresOptions): Promise<Started> {
  const store = storeBinaries[name];
  const given = (options.env ?? process.env)[store.urlVariable];
  if (given !== undefined && given !== '') {
    await checkGivenStore(name, given);
    return { url: given, process: undefined };
  }
  const binary = await acquireBinary(store, join(options.root, '.waymark', 'bin'), options.log);
  const port = options.ports?.[name];
  const started = await starters[name]({
    binary,
    dataDir: resolve(options.dataDir, name),
    ...(port === undefined ? {} : { port }),
  });
  return { url: started.url, process: started };
}
