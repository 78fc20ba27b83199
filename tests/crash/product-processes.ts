import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRepositoryRoot, freePort, type Stores, startStores } from '@waymark/local-stack';
import { callApi } from '../../dev/api.ts';
import { readSecrets } from '../../dev/secrets.ts';
import { type RunningServices, type ServicesOptions, startServices } from '../../dev/services.ts';

/** The product as real processes on stores of its own, with a workspace and a key, for tests that kill. */
export interface ProductProcesses {
  /** Holds data and logs; also where crash points are armed. */
  directory: string;
  stores: Stores;
  services: RunningServices;
  workspaceId: string;
  key: string;
  /** The owner's session. */
  cookie: string;
  stop(): Promise<void>;
}

export async function startProductProcesses(
  options: Pick<ServicesOptions, 'entries' | 'replicas' | 'env' | 'only'> & {
    /** Default one of each, on this machine. */
    startStores?: (at: { root: string; dataDir: string }) => Promise<Stores>;
  } = {},
): Promise<ProductProcesses> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-crash-'));
  const root = findRepositoryRoot();
  const dataDir = join(directory, 'data');
  const stores = options.startStores
    ? await options.startStores({ root, dataDir })
    : await startStores({ root, dataDir, log: () => undefined, env: {} });
  const services = await startServices({
    only: ['accounts', 'decisions', 'audit'],
    ...options,
    root,
    port: await freePort(),
    stores,
    secrets: await readSecrets(directory),
    logDirectory: directory,
    env: { LIMIT_SCALE: '100000', CRASH_DIRECTORY: directory, DEFAULT_PLAN: 'enterprise', ...options.env },
  });
  const { baseUrl } = services;
  const signedUp = await callApi<{ workspaces: { id: string }[] }>(`${baseUrl}/auth/sign-up`, {
    method: 'POST',
    body: { email: 'crash@example.com', password: 'correct horse battery', name: 'Crash' },
  });
  const workspaceId = signedUp.body.workspaces[0]!.id;
  const created = await callApi<{ key: string }>(`${baseUrl}/api-keys`, {
    method: 'POST',
    headers: { cookie: signedUp.cookie ?? '' },
    body: { workspaceId, name: 'crash', scopes: ['read', 'write'] },
  });
  return {
    directory,
    stores,
    services,
    workspaceId,
    key: created.body.key,
    cookie: signedUp.cookie ?? '',
    async stop() {
      await services.stop();
      await stores.stop();
      if (process.env['CRASH_KEEP']) console.log(`data and logs are in ${directory}`);
      else await rm(directory, { recursive: true, force: true });
    },
  };
}
