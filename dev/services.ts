import { join } from 'node:path';
import { BASE_PATH, type ServiceName, storingServices } from '@waymark/contracts';
import { freePort, type ManagedProcess, startProcess } from '@waymark/local-stack';
import { type Secrets, secretsFor } from './secrets.ts';

/**
 * As in the images (deploy/docker/Dockerfile). By default V8 lets garbage grow with the machine's memory, and
 * places some objects of each request among the old ones, where they keep finished requests in memory.
 */
export const NODE_ARGS = [
  '--conditions=x-source',
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
  '--expose-gc',
];

export const STOP_LIMIT_MS = 20_000;
const READINESS_LIMIT_MS = 2_000;

export interface ServiceProcess {
  service: ServiceName;
  url: string;
  adminUrl: string;
  process: ManagedProcess;
}

export interface RunningServices {
  baseUrl: string;
  /** Every process, with several replicas if requested; the gateways last. */
  processes: ServiceProcess[];
  /** Stops the gateways first, so that no request arrives while the others drain. */
  stop(): Promise<void>;
}

export interface ServicesOptions {
  root: string;
  /** The first gateway's URL. */
  port: number;
  stores: { mongoUrl: string; redisUrl: string; natsUrl: string };
  secrets: Secrets;
  /** The folder of the log files, one per process. */
  logDirectory: string;
  env?: Record<string, string | undefined>;
  /** A service's entry point, relative to the root, if it is not its main.ts. */
  entries?: Partial<Record<ServiceName, string>>;
  /** Replicas of each service, or of the named ones. Default: 1. */
  replicas?: number | Partial<Record<ServiceName, number>>;
  /** The services to start besides the gateway. Default: all. */
  only?: readonly ServiceName[] | undefined;
}

/** The variables that all services share on this machine. */
function sharedEnvironment({ port, stores, env }: Pick<ServicesOptions, 'port' | 'stores' | 'env'>) {
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${port}`,
    MONGODB_URL: stores.mongoUrl,
    REDIS_URL: stores.redisUrl,
    NATS_URL: stores.natsUrl,
    DRAIN_DELAY_MS: '0',
    MIGRATE_ON_START: 'true',
    // To try webhooks, users run a receiver on the same machine.
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    // Users try the plans on their own machine.
    PLAN_CHANGES: process.env['PLAN_CHANGES'] ?? 'owner',
    MCP_WRITES: process.env['MCP_WRITES'] ?? 'true',
    // Programs on this machine have no address with metadata.
    OAUTH_REGISTRATION: process.env['OAUTH_REGISTRATION'] ?? 'true',
    // All users are on this machine, which is one network.
    SIGN_UPS_PER_HOUR: process.env['SIGN_UPS_PER_HOUR'] ?? '10000',
    ...env,
  };
}

/** Chooses ports for the services behind the gateway of one process. Returns the variables for them too. */
export async function chooseServicePorts() {
  const ports = await Promise.all(
    storingServices.map(async (name) => {
      const [own, admin] = await freePorts(2);
      return { name, own, admin: admin! };
    }),
  );
  const variables = ports.map(({ name, own, admin }) => ({
    [`${name.toUpperCase()}_PORT`]: String(own),
    [`${name.toUpperCase()}_ADMIN_PORT`]: String(admin),
    [`${name.toUpperCase()}_URL`]: `http://127.0.0.1:${own}`,
  }));
  return { ports, env: Object.assign({}, ...variables) as Record<string, string> };
}

/**
 * Starts every service in one process on loopback, `waymark all`, and waits until it is ready. Returns its
 * environment too, without the secrets.
 */
export async function startInOneProcess(
  options: Omit<ServicesOptions, 'entries' | 'replicas' | 'only'> & { log?: (line: string) => void },
  /** The probe to wait for: /livez does not wait for a service whose database is not ready. */
  probe: '/readyz' | '/livez' = '/readyz',
) {
  const { root, port, secrets, logDirectory, log } = options;
  const { ports, env: ofServices } = await chooseServicePorts();
  const adminPort = await freePort();
  const env: Record<string, string | undefined> = {
    ...sharedEnvironment(options),
    ...ofServices,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  };
  const running = await startProcess({
    name: 'waymark',
    command: process.execPath,
    args: [...NODE_ARGS, join(root, 'apps/cli/src/main.ts'), 'all'],
    env: { ...secrets, ...env },
    readyUrl: `http://127.0.0.1:${adminPort}${probe}`,
    log,
    waitingFor: () => notReady([...ports, { name: 'gateway', admin: adminPort }]),
    logFile: join(logDirectory, 'waymark.log'),
    cwd: root,
  });
  return { running, env, adminPort };
}

const readyUrl = (adminPort: number) => `http://127.0.0.1:${adminPort}/readyz`;

/** Returns the names of the services that are not ready, for example "audit, search". */
async function notReady(services: { name: string; admin: number }[]): Promise<string> {
  const names = await Promise.all(
    services.map(async ({ name, admin }) => {
      const signal = AbortSignal.timeout(READINESS_LIMIT_MS);
      const response = await fetch(readyUrl(admin), { signal }).catch(() => null);
      return response?.ok ? [] : [name];
    }),
  );
  return names.flat().join(', ');
}

/** Starts every service as a separate process on loopback and waits until all are ready. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const { root, port, logDirectory, entries = {}, replicas = 1 } = options;
  const replicasOf = (name: ServiceName) => (typeof replicas === 'number' ? replicas : (replicas[name] ?? 1));
  const behindGateway = storingServices.filter((name) => options.only?.includes(name) ?? true);
  // An older release refuses to start with the key of a service that it does not know.
  const keys = options.secrets['IDENTITY_PUBLIC_KEYS']!.split(',');
  const isStarted = (pair: string) =>
    ['gateway', ...behindGateway].some((name) => pair.startsWith(`${name}=`));
  const secrets = { ...options.secrets, IDENTITY_PUBLIC_KEYS: keys.filter(isStarted).join(',') };
  const ports = new Map<ServiceName, number[]>();
  for (const name of behindGateway) ports.set(name, await freePorts(replicasOf(name)));
  ports.set('gateway', [port, ...(await freePorts(replicasOf('gateway') - 1))]);
  const urlsOf = (name: ServiceName) =>
    ports.get(name)!.map((servicePort) => `http://127.0.0.1:${servicePort}`);
  const shared = {
    ...Object.fromEntries(behindGateway.map((name) => [`${name.toUpperCase()}_URL`, urlsOf(name).join(',')])),
    ...sharedEnvironment(options),
  };

  async function start(service: ServiceName, replica: number): Promise<ServiceProcess> {
    const adminPort = await freePort();
    const adminUrl = `http://127.0.0.1:${adminPort}`;
    const started = await startProcess({
      name: service,
      command: process.execPath,
      args: [...NODE_ARGS, join(root, entries[service] ?? `services/${service}/src/main.ts`)],
      env: {
        ...secretsFor(service, secrets),
        ...shared,
        PORT: String(ports.get(service)![replica]),
        ADMIN_PORT: String(adminPort),
      },
      readyUrl: `${adminUrl}/readyz`,
      logFile: join(logDirectory, `${service}${replica > 0 ? `-${replica + 1}` : ''}.log`),
      cwd: root,
    });
    return { service, url: urlsOf(service)[replica]!, adminUrl, process: started };
  }
  const startAll = (service: ServiceName) =>
    Promise.all(ports.get(service)!.map((_, replica) => start(service, replica)));

  const behind = (await Promise.all(behindGateway.map(startAll))).flat();
  // The gateway starts last, when the others are ready.
  const gateways = await startAll('gateway');
  return {
    baseUrl: `http://localhost:${port}${BASE_PATH}`,
    processes: [...behind, ...gateways],
    async stop() {
      for (const group of [gateways, behind]) {
        await Promise.all(group.map(({ process: running }) => running.stop(STOP_LIMIT_MS)));
      }
    },
  };
}

function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()));
}
