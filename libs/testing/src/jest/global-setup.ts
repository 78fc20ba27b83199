import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRepositoryRoot, isRunning, startStores } from '@waymark/local-stack';

const PREFIX = 'waymark-tests-';

let starting: Promise<void> | undefined;
let end = async () => {};
const users: (() => Promise<void>)[] = [];

/** Ends the stores and removes their data. */
export const endStores = () => end();

/** Registers a function that runs before the stores end. */
export const stopBeforeStores = (stop: () => Promise<void>) => users.push(stop);

/**
 * Starts the three stores once per run, with their data in a temporary folder. The workers inherit the URLs.
 */
export default function globalSetup(): Promise<void> {
  starting ??= start();
  return starting;
}

async function start(): Promise<void> {
  removeAbandoned();
  const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const log = (line: string) => console.error(line);
  const stores = await startStores({ root: findRepositoryRoot(), dataDir, log }).catch((error: unknown) => {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
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

/** Removes the folders of killed runs. Their names contain the pid of the run. */
function removeAbandoned(): void {
  for (const entry of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(entry)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(tmpdir(), entry), { recursive: true, force: true });
  }
}
