import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRepositoryRoot, freePort, type Stores, startStores } from '@waymark/local-stack';
import { readSecrets, type Secrets } from './secrets.ts';
import { type RunningServices, type ServicesOptions, startServices } from './services.ts';

/**
 * The product as real processes with its own stores, for benches and crash tests. Stopping it deletes
 * everything.
 */
export interface TemporaryProduct {
  /** The folder of data and logs. */
  directory: string;
  stores: Stores;
  secrets: Secrets;
  services: RunningServices;
  stop(): Promise<void>;
}

export interface TemporaryOptions extends Pick<ServicesOptions, 'only' | 'env' | 'replicas' | 'entries'> {
  /** The checkout that the processes run; default: this one. */
  root?: string;
  /** Default: a new folder, deleted with the product. A given folder stays. */
  directory?: string;
  /** Default: one of each on this machine. */
  startStores?: (at: { dataDir: string }) => Promise<Stores>;
}

export async function startTemporaryProduct(options: TemporaryOptions = {}): Promise<TemporaryProduct> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'waymark-temporary-')));
  const startOwn = options.startStores ?? ((at) => startStores({ ...at, log: () => undefined, env: {} }));
  const stores = await startOwn({ dataDir: join(directory, 'data') });
  const secrets = await readSecrets(directory);
  const services = await startServices({
    root: findRepositoryRoot(),
    ...options,
    port: await freePort(),
    stores,
    secrets,
    logDirectory: directory,
  });
  return {
    directory,
    stores,
    secrets,
    services,
    async stop() {
      await services.stop();
      await stores.stop();
      if (!options.directory) await rm(directory, { recursive: true, force: true });
    },
  };
}
