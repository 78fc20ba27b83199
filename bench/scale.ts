import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_PATH, internalHeaders } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startStores } from '@waymark/local-stack';
import { identityTokens } from '@waymark/service-kit';
import { httpCall, keyPrincipal } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { type NewWorkspace, newWorkspace } from '../dev/new-workspace.ts';
import { readSecrets } from '../dev/secrets.ts';
import { type RunningServices, startServices } from '../dev/services.ts';
import { figuresOf, timesAt, timesOf } from './callers.ts';
import { cpuMs } from './cpu-ms.ts';
import { type Size, seedScale } from './seed-scale.ts';
import { machine, printHead, printRow } from './table.ts';

/**
 * `npm run bench:scale [seconds] [part] [directory] [decisions] [workspaces]`: what a call takes with 1, 2 and 4 replicas of a service
 * (part `replicas`), and in a small and in a large installation (`small`, `large`), whose records are put straight into MongoDB
 * (`load`). Default `all` of them; one after another they need a directory that stays between them.
 */
const seconds = Number(process.argv[2] ?? 10);
const part = process.argv[3] ?? 'all';
const kept = process.argv[4];
const sizes: Record<'small' | 'large', Size> = {
  small: { decisions: 1_000, workspaces: 10 },
  large: { decisions: Number(process.argv[5] ?? 1_000_000), workspaces: Number(process.argv[6] ?? 10_000) },
};
const REPLICAS = [1, 2, 4];
const CALLERS = 8;
/**
 * To all replicas together: well below what two cores take, for at their limit processes cost each other their caches, and not
 * more with more replicas, for a processor that sleeps between calls pays to wake. Fewer where pages of lists are among them.
 */
const CALLS_PER_SECOND = { replicas: 240, growth: 100 };
/**
 * To one replica alone: also what each of several gets. A process that is called less often pays more for a call, whether or not there are
 * others: it puts fewer together, and the machine has forgotten it in between. What then differs is the number of replicas.
 */
const ALONE = REPLICAS.map((replicas) => CALLS_PER_SECOND.replicas / replicas);
/** Of each replica and operation, before anything is measured: until V8 has compiled what runs often. */
const WARM_UP_CALLS = 1_500;
const WARM_UP_SECONDS = 0.5;
/** Without a call: what replicas take of themselves is no call's, and is told beside it. */
const IDLE_SECONDS = 3;
const SERVICES = ['decisions', 'accounts'];

const directory = kept ?? (await mkdtemp(join(tmpdir(), 'waymark-bench-')));
await mkdir(directory, { recursive: true });
const root = findRepositoryRoot();
const stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined, env: {} });
const secrets = await readSecrets(directory);
const mongo = new MongoClient(stores.mongoUrl);
const agent = new http.Agent({ keepAlive: true });
const draft = {
  title: 'Which store keeps our decisions?',
  optionsConsidered: ['MongoDB', 'PostgreSQL'],
  tags: ['stores'],
};

const start = async (replicas: number) =>
  startServices({
    root,
    port: await freePort(),
    stores,
    secrets,
    logDirectory: directory,
    only: ['accounts', 'decisions'],
    replicas: { decisions: replicas },
    env: { LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn' },
  });

type Call = () => Promise<void>;
async function ok(
  base: string,
  method: string,
  path: string,
  input: Parameters<typeof httpCall>[3],
): Promise<void> {
  const answer = await httpCall(base + BASE_PATH, method, path, { agent, ...input });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
}

/** Calls of decisions, to its replicas in turn, as the gateway sends them. */
function decisionCalls(
  { processes }: RunningServices,
  { workspaceId }: NewWorkspace,
  ids: readonly string[],
) {
  const urls = processes.filter(({ service }) => service === 'decisions').map(({ url }) => url);
  const identity = identityTokens(secrets.IDENTITY_SECRETS.split(','));
  const principal = keyPrincipal({ workspace_id: workspaceId });
  let turn = 0;
  const call =
    (method: string, path: () => string, input: object = {}): Call =>
    async () => {
      turn += 1;
      const headers = { [internalHeaders.identity]: await identity.sign(principal) };
      const query = { workspaceId, ...(path() === '/decisions' && method === 'GET' && { limit: 100 }) };
      return ok(urls[turn % urls.length]!, method, path(), { headers, query, ...input });
    };
  const one = () => `/decisions/${ids[turn % ids.length]}`;
  return {
    'POST /decisions': call('POST', () => '/decisions', { body: draft }),
    'PATCH /decisions/{id}': call('PATCH', one, { body: { resolution: 'MongoDB' } }),
    'GET /decisions/{id}': call('GET', one),
    'GET /decisions': call('GET', () => '/decisions'),
    'GET /metrics': call('GET', () => '/metrics'),
  };
}

/** Calls through the gateway that accounts answers. */
function accountCalls({ processes }: RunningServices, { workspaceId, cookie }: NewWorkspace) {
  const { url } = processes.find(({ service }) => service === 'gateway')!;
  const call =
    (path: string): Call =>
    () =>
      ok(url, 'GET', path, { headers: { cookie }, query: { workspaceId } });
  return { 'GET /members': call('/members'), 'GET /api-keys': call('/api-keys') };
}

interface Row {
  operation: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  serviceCpuMs: number;
  /** Of that, what the service takes without a call. */
  idleCpuMs: number;
  mongoCpuMs: number;
}
async function measure(
  { processes }: RunningServices,
  calls: Record<string, Call>,
  { what, replicas, callsPerSecond }: { what: string; replicas: number; callsPerSecond: number },
): Promise<void> {
  const measured = processes.filter(({ service }) => service !== 'gateway');
  for (const [operation, call] of Object.entries(calls)) {
    for (let warm = 0; warm < WARM_UP_CALLS * replicas; )
      warm += (await timesOf(CALLERS, WARM_UP_SECONDS, call)).length;
    const idle = await cpuMs(measured, mongo);
    await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
    const before = await cpuMs(measured, mongo);
    const times = await timesAt(callsPerSecond, seconds, call);
    const after = await cpuMs(measured, mongo);
    const spent = (names: string[], from: typeof before, to: typeof before) =>
      names.reduce((sum, name) => sum + (to[name] ?? 0) - (from[name] ?? 0), 0);
    const idleMs = (spent(SERVICES, idle, before) / IDLE_SECONDS) * seconds;
    print(what, {
      operation,
      ...figuresOf(times, seconds),
      serviceCpuMs: spent(SERVICES, before, after) / times.length,
      idleCpuMs: idleMs / times.length,
      mongoCpuMs: spent(['MongoDB'], before, after) / times.length,
    });
  }
}

function print(what: string, row: Row): void {
  const times = [row.p50Ms, row.p99Ms].map((ms) => ms.toFixed(1));
  const cpu = [row.serviceCpuMs, row.idleCpuMs, row.mongoCpuMs].map((ms) => ms.toFixed(2));
  printRow([row.operation, what, row.perSecond.toFixed(0), ...times, ...cpu]);
}

/** The measured workspace: the same again where the directory has stayed. */
async function tenantIn(baseUrl: string): Promise<NewWorkspace> {
  const file = join(directory, 'tenant.json');
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known) return JSON.parse(known) as NewWorkspace;
  const made = await newWorkspace(baseUrl, 'bench');
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

let services: RunningServices | undefined;

/** Fills the installation up to a size, and tells what it has then. */
async function fill(tenant: NewWorkspace, size: Size): Promise<{ ids: string[]; what: string }> {
  const { 'POST /decisions': write } = decisionCalls(services!, tenant, []);
  await write();
  const ids = await seedScale(mongo, tenant.workspaceId, size);
  const [decisions, workspaces] = await Promise.all([
    mongo.db('waymark_decisions').collection('decisions').estimatedDocumentCount(),
    mongo.db('waymark_accounts').collection('workspaces').estimatedDocumentCount(),
  ]);
  return { ids, what: `${decisions} decisions, ${workspaces} workspaces` };
}

async function measureReplicas(): Promise<void> {
  for (const replicas of REPLICAS) {
    services = await start(replicas);
    const tenant = await tenantIn(services.baseUrl);
    const { ids } = await fill(tenant, sizes.small);
    const { 'POST /decisions': write, 'GET /decisions/{id}': read } = decisionCalls(services, tenant, ids);
    const chosen = { 'POST /decisions': write, 'GET /decisions/{id}': read };
    for (const callsPerSecond of replicas === 1 ? ALONE : [CALLS_PER_SECOND.replicas]) {
      const what = `${replicas} replicas, ${callsPerSecond} calls/s`;
      await measure(services, chosen, { what, replicas, callsPerSecond });
    }
    await services.stop();
  }
}

async function measureGrowth(size: Size, run: boolean): Promise<void> {
  services = await start(1);
  const tenant = await tenantIn(services.baseUrl);
  const { ids, what } = await fill(tenant, size);
  const calls = { ...decisionCalls(services, tenant, ids), ...accountCalls(services, tenant) };
  const rate = { what, replicas: 1, callsPerSecond: CALLS_PER_SECOND.growth };
  if (run) await measure(services, calls, rate);
  else console.log(what);
  await services.stop();
}

console.log(`${machine()}, ${seconds} s each\n`);
if (part !== 'load')
  printHead(
    [
      'operation',
      'with',
      'calls/s',
      'p50 ms',
      'p99 ms',
      'CPU ms of the service',
      'of that idle',
      'CPU ms of MongoDB',
    ],
    2,
  );
try {
  const wanted = (...names: string[]) => part === 'all' || names.includes(part);
  if (wanted('replicas')) await measureReplicas();
  if (wanted('small')) await measureGrowth(sizes.small, true);
  if (wanted('load', 'large')) await measureGrowth(sizes.large, part !== 'load');
  console.log(`\nat the end: ${machine()}`);
} finally {
  agent.destroy();
  await mongo.close();
  await services?.stop();
  await stores.stop();
  if (!kept) await rm(directory, { recursive: true, force: true });
}
