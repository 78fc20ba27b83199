import { join } from 'node:path';
import { BASE_PATH, type ServiceName } from '@waymark/contracts';
import { freePort, type ManagedProcess, startProcess } from '@waymark/local-stack';
import type { Secrets } from './secrets.ts';

/** The services of the product that run so far; the gateway comes last, when the others answer. */
const BEHIND_GATEWAY = ['accounts', 'decisions', 'audit'] as const satisfies ServiceName[];

export interface RunningServices {
  baseUrl: string;
  processes: Map<ServiceName, ManagedProcess>;
  /** The gateway first, so that nothing new arrives while the others drain. */
  stop(): Promise<void>;
}

export interface ServicesOptions {
  root: string;
  /** The gateway's. */
  port: number;
  stores: { mongoUrl: string; redisUrl: string; natsUrl: string };
  secrets: Secrets;
  /** Logs go to a file for each service in here. */
  logDirectory: string;
  env?: Record<string, string | undefined>;
  /** A service's entry point where it is not its own main.ts, below the root. */
  entries?: Partial<Record<ServiceName, string>>;
}

/** Starts every service as a process of its own, on loopback, and waits until each is ready. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const { root, port, stores, secrets, logDirectory, entries = {} } = options;
  const ports = new Map<ServiceName, number>([['gateway', port]]);
  for (const name of BEHIND_GATEWAY) ports.set(name, await freePort());
  const urls = Object.fromEntries(
    BEHIND_GATEWAY.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports.get(name)}`]),
  );
  const shared = {
    ...urls,
    ...secrets,
    HOST: '127.0.0.1',
    PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${port}`,
    MONGODB_URL: stores.mongoUrl,
    REDIS_URL: stores.redisUrl,
    NATS_URL: stores.natsUrl,
    DRAIN_DELAY_MS: '0',
    ...options.env,
  };
  const processes = new Map<ServiceName, ManagedProcess>();

  async function start(name: ServiceName): Promise<void> {
    const adminPort = await freePort();
    const entry = join(root, entries[name] ?? `services/${name}/src/main.ts`);
    const started = await startProcess({
      name,
      command: process.execPath,
      args: ['--conditions=x-source', '--disable-warning=ExperimentalWarning', entry],
      env: { ...shared, PORT: String(ports.get(name)), ADMIN_PORT: String(adminPort) },
      readyUrl: `http://127.0.0.1:${adminPort}/readyz`,
      logFile: join(logDirectory, `${name}.log`),
      cwd: root,
    });
    processes.set(name, started);
  }

  await Promise.all(BEHIND_GATEWAY.map(start));
  await start('gateway');
  return {
    baseUrl: `http://localhost:${port}${BASE_PATH}`,
    processes,
    async stop() {
      await processes.get('gateway')?.stop(20_000);
      await Promise.all([...processes.values()].map((service) => service.stop(20_000)));
    },
  };
}
