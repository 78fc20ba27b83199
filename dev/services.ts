import { join } from 'node:path';
import { BASE_PATH, type ServiceName } from '@waymark/contracts';
import { freePort, type ManagedProcess, type Stores, startProcess } from '@waymark/local-stack';
import type { Secrets } from './secrets.ts';

/** The services of the product that run so far; the gateway comes last, when the others answer. */
const BEHIND_GATEWAY = ['accounts', 'decisions', 'audit'] as const satisfies ServiceName[];

export interface RunningServices {
  baseUrl: string;
  /** The gateway first, so that nothing new arrives while the others drain. */
  stop(): Promise<void>;
}

/** Starts every service as a process of its own, on loopback, and waits until each is ready. */
export async function startServices(options: {
  root: string;
  port: number;
  stores: Stores;
  secrets: Secrets;
  log: (line: string) => void;
}): Promise<RunningServices> {
  const { root, port, stores, secrets, log } = options;
  const ports = new Map<string, number>();
  for (const name of BEHIND_GATEWAY) ports.set(name, await freePort());
  const urls = Object.fromEntries(
    BEHIND_GATEWAY.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports.get(name)}`]),
  );
  const publicUrl = process.env['PUBLIC_URL'] ?? `http://localhost:${port}`;
  const shared = {
    ...process.env,
    ...urls,
    ...secrets,
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    MONGODB_URL: stores.mongoUrl,
    REDIS_URL: stores.redisUrl,
    NATS_URL: stores.natsUrl,
    DRAIN_DELAY_MS: '0',
  };

  async function start(name: ServiceName, servicePort: number): Promise<ManagedProcess> {
    const adminPort = await freePort();
    return startProcess({
      name,
      command: process.execPath,
      args: [
        '--conditions=x-source',
        '--disable-warning=ExperimentalWarning',
        join(root, `services/${name}/src/main.ts`),
      ],
      env: { ...shared, PORT: String(servicePort), ADMIN_PORT: String(adminPort) },
      readyUrl: `http://127.0.0.1:${adminPort}/readyz`,
      logFile: join(root, `.waymark/logs/${name}.log`),
      cwd: root,
    });
  }

  const behind = await Promise.all(BEHIND_GATEWAY.map((name) => start(name, ports.get(name)!)));
  const gateway = await start('gateway', port);
  log(`gateway, ${BEHIND_GATEWAY.join(', ')} are ready`);
  return {
    baseUrl: `http://localhost:${port}${BASE_PATH}`,
    async stop() {
      await gateway.stop(20_000);
      await Promise.all(behind.map((service) => service.stop(20_000)));
    },
  };
}
