import { mkdtemp, rm } from 'node:fs/promises';
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
 * `npm run bench:scale [seconds] [decisions] [workspaces] [replicas|growth]`: what a call takes with 1, 2 and 4 replicas of a
 * service, and what it takes in a small and in a large installation, whose records are seeded straight into MongoDB.
 */
const seconds = Number(process.argv[2] ?? 10);
const most: Size = {
  decisions: Number(process.argv[3] ?? 1_000_000),
  workspaces: Number(process.argv[4] ?? 10_000),
};
const part = process.argv[5] ?? 'both';
const least: Size = { decisions: 1_000, workspaces: 10 };
const REPLICAS = [1, 2, 4];
const CALLERS = 8;
/**
 * To each replica, where several are compared: well below what two cores take, for at their limit processes cost each other their
 * caches; and the same for each, for writes that come together share a commit.
 */
const CALLS_PER_SECOND = 120;
/** Of each replica and operation, before anything is measured: until V8 has compiled what runs often. */
const WARM_UP_CALLS = 1_500;
const WARM_UP_SECONDS = 0.5;

const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-'));
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
async function decisionCalls(
  { processes }: RunningServices,
  { workspaceId }: NewWorkspace,
  ids: readonly string[],
) {
  const urls = processes.filter(({ service }) => service === 'decisions').map(({ url }) => url);
  const identity = identityTokens(secrets.IDENTITY_SECRETS.split(','));
  const token = await identity.sign(keyPrincipal({ workspace_id: workspaceId }));
  const headers = { [internalHeaders.identity]: token };
  let turn = 0;
  const call =
    (method: string, path: () => string, input: object = {}): Call =>
    () => {
      turn += 1;
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
  p99Ms: number;
  serviceCpuMs: number;
  mongoCpuMs: number;
}
async function measure(
  { processes }: RunningServices,
  calls: Record<string, Call>,
  replicas: number | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  const run = (forSeconds: number, call: Call) =>
    replicas === null
      ? timesOf(CALLERS, forSeconds, call)
      : timesAt(CALLS_PER_SECOND * replicas, forSeconds, call);
  const measured = processes.filter(({ service }) => service !== 'gateway');
  for (const [operation, call] of Object.entries(calls)) {
    for (let warm = 0; warm < WARM_UP_CALLS * (replicas ?? 1); )
      warm += (await timesOf(CALLERS, WARM_UP_SECONDS, call)).length;
    const before = await cpuMs(measured, mongo);
    const times = await run(seconds, call);
    const after = await cpuMs(measured, mongo);
    const spent = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / times.length;
    const { perSecond, p99Ms } = figuresOf(times, seconds);
    const serviceCpuMs = spent('decisions') + spent('accounts');
    rows.push({ operation, perSecond, p99Ms, serviceCpuMs, mongoCpuMs: spent('MongoDB') });
  }
  return rows;
}

function print(what: string, row: Row): void {
  const cells = [row.operation, what, row.perSecond.toFixed(0), row.p99Ms.toFixed(1)];
  printRow([...cells, row.serviceCpuMs.toFixed(2), row.mongoCpuMs.toFixed(2)]);
}

console.log(
  `${machine()}, ${seconds} s each, ${CALLERS} callers; replicas: ${CALLS_PER_SECOND} calls/s to each\n`,
);
printHead(['operation', 'with', 'calls/s', 'p99 ms', 'CPU ms of the service', 'CPU ms of MongoDB'], 2);
let services: RunningServices | undefined;
let tenant: NewWorkspace | undefined;
try {
  services = await start(1);
  tenant = await newWorkspace(services.baseUrl, 'bench');
  await services.stop();
  for (const replicas of part === 'growth' ? [] : REPLICAS) {
    services = await start(replicas);
    const { 'POST /decisions': write } = await decisionCalls(services, tenant, []);
    await write();
    const ids = await seedScale(mongo, tenant.workspaceId, least);
    const calls = await decisionCalls(services, tenant, ids);
    const chosen = { 'POST /decisions': write, 'GET /decisions/{id}': calls['GET /decisions/{id}'] };
    for (const row of await measure(services, chosen, replicas)) print(`${replicas} replicas`, row);
    await services.stop();
  }
  for (const size of part === 'replicas' ? [] : [least, most]) {
    services = await start(1);
    const { 'POST /decisions': write } = await decisionCalls(services, tenant, []);
    await write();
    const ids = await seedScale(mongo, tenant.workspaceId, size);
    const calls = { ...(await decisionCalls(services, tenant, ids)), ...accountCalls(services, tenant) };
    const [have, workspaces] = await Promise.all([
      mongo.db('waymark_decisions').collection('decisions').estimatedDocumentCount(),
      mongo.db('waymark_accounts').collection('workspaces').estimatedDocumentCount(),
    ]);
    for (const row of await measure(services, calls, null))
      print(`${have} decisions, ${workspaces} workspaces`, row);
    await services.stop();
  }
  console.log(`\nat the end: ${machine()}`);
} finally {
  agent.destroy();
  await mongo.close();
  await services?.stop();
  await stores.stop();
  await rm(directory, { recursive: true, force: true });
}
