import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findRepositoryRoot,
  freePort,
  type ManagedProcess,
  startProcess,
  startStores,
} from '@waymark/local-stack';
import { httpCall, identityEnvironment } from '@waymark/testing';
import { startPostgres } from '../support/postgres.ts';

/** Starts the search service with its own stores, and PostgreSQL if it is installed. */
export type SearchStand = Awaited<ReturnType<typeof startSearchStand>>;

/** A given directory keeps its data. */
export async function startSearchStand(given?: string) {
  if (given) await mkdir(given, { recursive: true });
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'waymark-bench-')));
  const root = findRepositoryRoot();
  const stores = await startStores({ dataDir: join(directory, 'data'), log: () => undefined, env: {} });
  const postgres = await startPostgres(directory);
  const processes: ManagedProcess[] = [];

  async function startService(name: string, file: string, env: Record<string, string>) {
    const [port, adminPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const started = await startProcess({
      name,
      command: process.execPath,
      args: ['--conditions=x-source', '--disable-warning=ExperimentalWarning', join(root, file)],
      env: {
        ...identityEnvironment,
        HOST: '127.0.0.1',
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        CURSOR_SECRETS: 'cursor-secret-for-the-bench-0123456789',
        MIGRATE_ON_START: 'true',
        DRAIN_DELAY_MS: '0',
        LOG_LEVEL: 'warn',
        ...env,
      },
      logFile: join(directory, `${name}.log`),
      isReady: () =>
        httpCall(url, 'GET', '/').then(
          () => true,
          () => false,
        ),
    });
    processes.push(started);
    return { url, adminUrl: `http://127.0.0.1:${adminPort}` };
  }

  const service = await startService('search', 'services/search/src/main.ts', {
    MONGODB_URL: stores.mongoUrl,
    NATS_URL: stores.natsUrl,
  });

  return {
    directory,
    mongoUrl: stores.mongoUrl,
    postgres,
    service,
    startService,

    async metric(name: string): Promise<number> {
      const { text } = await httpCall(service.adminUrl, 'GET', '/metrics');
      const line = text.split('\n').find((candidate) => candidate.startsWith(name));
      return Number(line?.split(' ').at(-1) ?? 0);
    },

    async stop(): Promise<void> {
      for (const one of processes) await one.stop();
      await postgres?.process.stop();
      await stores.stop();
      if (!given) await rm(directory, { recursive: true, force: true });
    },
  };
}
