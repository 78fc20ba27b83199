import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type ServiceName, type StoringService, services, storingServices } from '@waymark/contracts';
import { observeRedis, SENTINEL } from '@waymark/gateway/operator';
import { observeEvents } from '@waymark/service-kit/events';
import { trustedAuthorities } from '@waymark/service-kit/process';
import { environmentOf, openDatabaseOf } from '../databases.ts';
import { ask } from './ask.ts';
import { readingPathOf } from './services.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Access that this machine has and should not have. */
export interface AccessObservation {
  /** Servers that DENIED_CONNECTIONS names and that can be reached, as host:port. */
  reachedDenied: string[];
  /** Services that answer a request without an identity. */
  withoutIdentity: ServiceName[];
  /** Variables with a password for a store that also accepts connections without one. */
  withoutPassword: StoreVariable[];
  /** Servers with a URL on loopback that other machines can reach, with the address. */
  offeredToOthers: { what: string; at: string }[];
}
export type StoreVariable = 'MONGODB_URL' | RedisVariable | 'NATS_URL';
type RedisVariable = 'REDIS_URL' | 'REDIS_SENTINEL_URL';

const LIMIT_MS = 2_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const CREDENTIALS = /(?<=^|,\s*|:\/\/)[^@,/]+@/g;
const STORE_PORTS: Readonly<Record<string, number>> = { 'mongodb:': 27_017, 'redis:': 6379, 'nats:': 4222 };
const STORE_NAMES: Readonly<Record<string, string>> = {
  'mongodb:': 'MongoDB',
  'redis:': 'Redis',
  'nats:': 'NATS',
};

/** Tries accesses that must fail. Changes nothing. Others reach this machine at `addresses`. */
export async function observeAccess(
  env: Environment,
  addresses: readonly string[] = addressesOfThisMachine(),
): Promise<AccessObservation> {
  const [reachedDenied, withoutIdentity, withoutPassword, offeredToOthers] = await Promise.all([
    reachable(deniedIn(env)),
    answeringWithoutIdentity(env),
    acceptingWithoutPassword(env),
    offered(env, addresses),
  ]);
  return { reachedDenied, withoutIdentity, withoutPassword, offeredToOthers };
}

const deniedIn = (env: Environment) =>
  (env['DENIED_CONNECTIONS'] ?? '').split(',').filter((server) => server !== '');

async function reachable(servers: readonly string[]): Promise<string[]> {
  const tried = await Promise.all(servers.map(connects));
  return servers.filter((_, i) => tried[i]);
}

function connects(server: string): Promise<boolean> {
  const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(server) ?? [];
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: LIMIT_MS });
    function end(isConnected: boolean): void {
      socket.destroy();
      resolve(isConnected);
    }
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

async function answeringWithoutIdentity(env: Environment): Promise<ServiceName[]> {
  const secureContext = trustedAuthorities(env['TLS_CA_FILE']);
  const asked = storingServices.map(async (service) => {
    const base = env[`${service.toUpperCase()}_URL`]?.split(',')[0];
    const url = URL.parse(readingPathOf(service), base?.trim());
    const answer = url && (await ask(url, { limitMs: LIMIT_MS, secureContext }));
    return answer && answer.status < 300 ? [service] : [];
  });
  return (await Promise.all(asked)).flat();
}

async function acceptingWithoutPassword(env: Environment): Promise<StoreVariable[]> {
  const natsUrl = env['NATS_URL'] ?? '';
  const accepts: [StoreVariable, boolean | Promise<boolean>][] = [
    ...servicesByMongoUrl(env).map((service): [StoreVariable, Promise<boolean>] => [
      'MONGODB_URL',
      mongoAccepts(service, env),
    ]),
    ['REDIS_URL', redisAccepts('REDIS_URL', env)],
    ['REDIS_SENTINEL_URL', redisAccepts('REDIS_SENTINEL_URL', env)],
    [
      'NATS_URL',
      (hasCredentials(natsUrl) || Boolean(env['NATS_CREDS'])) &&
        natsAccepts({ ...env, NATS_URL: withoutCredentials(natsUrl), NATS_CREDS: undefined }),
    ],
  ];
  const tried = await Promise.all(
    accepts.map(async ([variable, accepted]) => ((await accepted) ? [variable] : [])),
  );
  return [...new Set(tried.flat())];
}

/** One service for each URL of MongoDB. */
function servicesByMongoUrl(env: Environment): StoringService[] {
  const byUrl = new Map(storingServices.map((service) => [environmentOf(service, env).MONGODB_URL, service]));
  return [...byUrl.values()];
}

const hasCredentials = (url: string) => withoutCredentials(url) !== url;
const withoutCredentials = (url: string) => url.replaceAll(CREDENTIALS, '');

async function mongoAccepts(service: StoringService, env: Environment): Promise<boolean> {
  const url = environmentOf(service, env).MONGODB_URL ?? '';
  if (!/^mongodb(\+srv)?:\/\/[^@/]+@/.test(url)) return false;
  const bare = url.replace(/(?<=^[a-z+]+:\/\/)[^@/]+@/, '').replaceAll(/(?<=[?&])auth\w+=[^&]*&?/gi, '');
  const database = openDatabaseOf(service, { ...env, [`${service.toUpperCase()}_MONGODB_URL`]: bare });
  return database.client
    .db('admin')
    .command({ listDatabases: 1, nameOnly: true })
    .then(
      () => true,
      () => false,
    )
    .finally(() => database.close());
}

async function redisAccepts(variable: RedisVariable, env: Environment): Promise<boolean> {
  const url = env[variable] ?? '';
  if (!hasCredentials(url)) return false;
  const bare = { ...env, [variable]: withoutCredentials(url) };
  const observed = Object.entries<object>(await observeRedis(bare).catch(() => ({})));
  const isAsked = (server: string) => server.startsWith(SENTINEL) === (variable === 'REDIS_SENTINEL_URL');
  return observed.some(([server, state]) => isAsked(server) && !('away' in state));
}

/** A connection must be tried: with users only in $SYS, NATS says `auth_required` and accepts everyone. */
const natsAccepts = (env: Environment) =>
  observeEvents(env).then(
    () => true,
    () => false,
  );

function addressesOfThisMachine(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
}

/** A service or a store without a password whose URL is on loopback should listen nowhere else. */
async function offered(env: Environment, addresses: readonly string[]) {
  const asked = listenersOnLoopback(env).flatMap(({ what, port, isOurs }) =>
    addresses.map(async (address) => {
      const at = `${address}:${port}`;
      return (await isOurs(at)) ? [{ what, at }] : [];
    }),
  );
  return (await Promise.all(asked)).flat();
}

interface Listener {
  what: string;
  port: string | number;
  /** Whether the same is at another address, and not some other program. */
  isOurs: (at: string) => Promise<boolean>;
}

function listenersOnLoopback(env: Environment): Listener[] {
  const ofServices = storingServices.flatMap((name): Listener[] => {
    const url = loopbackUrl(env[`${name.toUpperCase()}_URL`]?.split(',')[0]);
    if (!url) return [];
    const byDefault = Number(url.port) === services[name].port ? services[name].adminPort : undefined;
    const adminPort = env[`${name.toUpperCase()}_ADMIN_PORT`] ?? byDefault;
    return [
      { what: name, port: url.port || 80, isOurs: isService(url) },
      ...(adminPort ? [{ what: `the metrics of ${name}`, port: adminPort, isOurs: isAdminServer(url) }] : []),
    ];
  });
  const storeUrls = [environmentOf('accounts', env).MONGODB_URL, env['REDIS_URL'], env['NATS_URL']];
  const ofStores = storeUrls.flatMap((text): Listener[] => {
    const url = loopbackUrl(text?.split(',')[0]);
    const what = url && STORE_NAMES[url.protocol];
    const isOpen = url?.username === '' && url.password === '';
    return what && isOpen ? [{ what, port: url.port || STORE_PORTS[url.protocol]!, isOurs: connects }] : [];
  });
  return [...ofServices, ...ofStores];
}

function loopbackUrl(text: string | undefined): URL | null {
  const url = text ? URL.parse(text.trim()) : null;
  return url && LOOPBACK.test(url.hostname) ? url : null;
}

/** Reads an answer under any certificate, which does not name the address that is tried. */
const textOf = async (url: string): Promise<string> =>
  (await ask(url, { limitMs: LIMIT_MS, rejectUnauthorized: false }))?.text ?? '';

/** A service refuses a request without an identity, with an error of ours. */
const isService =
  ({ protocol }: URL) =>
  async (at: string) =>
    /"requestId"/.test(await textOf(`${protocol}//${at}/v1/version`));
const isAdminServer =
  ({ protocol }: URL) =>
  async (at: string) =>
    (await textOf(`${protocol}//${at}/livez`)) === 'ok\n';
