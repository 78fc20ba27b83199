import { rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { createTemporaryFolder, startStores } from '@waymark/local-stack';

let starting: Promise<void> | undefined;
let end = async () => {};
const users: (() => Promise<void>)[] = [];

/** Ends the stores and removes their data. */
export const endStores = () => end();

/** Registers a function that runs before the stores end. */
export const stopBeforeStores = (stop: () => Promise<void>) => users.push(stop);

/** Starts the three stores once per run, in a temporary folder. The workers inherit their URLs. */
export default function globalSetup(): Promise<void> {
  starting ??= start();
  return starting;
}

async function start(): Promise<void> {
  const dataDir = createTemporaryFolder(tmpdir(), 'waymark-tests-');
  const stores = await startStores({ dataDir, log: console.error, temporary: true }).catch(
    (error: unknown) => {
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    },
  );
  // The stores are killed, not stopped: their data is removed, and mongod takes a second to stop.
  let ending: Promise<void> | undefined;
  const endNow = async () => {
    await Promise.all(users.map((stop) => stop()));
    await Promise.all([stores.mongo, stores.redis, stores.nats].map((store) => store?.kill()));
    await stores.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  end = () => (ending ??= endNow());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void end().finally(() => process.exit(128 + constants.signals[signal])));
  }
  process.env['MONGODB_URL'] = stores.mongoUrl;
  process.env['REDIS_URL'] = stores.redisUrl;
  process.env['NATS_URL'] = stores.natsUrl;
}
