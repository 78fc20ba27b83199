import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findRepositoryRoot, freePort, startStores } from '@waymark/local-stack';
import { MongoClient } from 'mongodb';
import { type NewWorkspace, newWorkspace } from '../dev/new-workspace.ts';
import { readSecrets } from '../dev/secrets.ts';
import { type RunningServices, type ServicesOptions, startServices } from '../dev/services.ts';
import { idleMs, printCost, printCostHead, spentOn } from './call-cost.ts';
import { timesOf } from './callers.ts';
import { type Call, decisionCalls, ok } from './decision-calls.ts';
import { keepAwake } from './keep-awake.ts';
import { measureReplicas } from './replicas.ts';
import { type Size, seedScale } from './seed-scale.ts';
import { machine } from './table.ts';

/**
 * `npm run bench:scale [seconds] [part] [directory] [decisions] [workspaces]`: what a call takes with 1, 2 and 4 replicas of a service
 * (part `replicas`), and in a small and in a large installation (`small`, `large`), whose records are put straight into MongoDB
 * (`load`). Default `all` of them; one after another they need a directory that stays between them. With `-- --awake` no processor
 * sleeps between calls (keepAwake): waking is paid for by calls, and less often where there is more to do.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { awake: { type: 'boolean', default: false } },
});
const [secondsGiven = '10', part = 'all', kept, decisionsGiven = '1000000', workspacesGiven = '10000'] =
  positionals;
const seconds = Number(secondsGiven);
const sizes: Record<'small' | 'large', Size> = {
  small: { decisions: 1_000, workspaces: 10 },
  large: { decisions: Number(decisionsGiven), workspaces: Number(workspacesGiven) },
};
const CALLERS = 8;
/** Fewer than two cores take, pages of lists among them. */
const CALLS_PER_SECOND = 100;
/** Of each operation, before anything is measured: until V8 has compiled what runs often. */
const WARM_UP_CALLS = 1_500;
const WARM_UP_SECONDS = 0.5;

const directory = kept ?? (await mkdtemp(join(tmpdir(), 'waymark-bench-')));
await mkdir(directory, { recursive: true });
const root = findRepositoryRoot();
const stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined, env: {} });
const secrets = await readSecrets(directory);
const mongo = new MongoClient(stores.mongoUrl);
const agent = new http.Agent({ keepAlive: true });

const start = async (options: Pick<ServicesOptions, 'only' | 'replicas' | 'env'>): Promise<RunningServices> =>
  startServices({
    root,
    port: await freePort(),
    stores,
    secrets,
    logDirectory: directory,
    ...options,
    env: { LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn', ...options.env },
  });

/** Calls of decisions in one workspace. */
const callsIn = ({ workspaceId }: NewWorkspace, ids: readonly string[]) =>
  decisionCalls({
    called: services!.processes
      .filter(({ service }) => service === 'decisions')
      .map(({ url }) => ({ url, known: ids.map((id) => ({ workspaceId, id })) })),
    workspaceIds: [workspaceId],
    secrets,
    agent,
  });

/** Calls through the gateway that accounts answers. */
function accountCalls({ processes }: RunningServices, { workspaceId, cookie }: NewWorkspace) {
  const { url } = processes.find(({ service }) => service === 'gateway')!;
  const call =
    (path: string): Call =>
    () =>
      ok(url, 'GET', path, { headers: { cookie }, query: { workspaceId } });
  return { 'GET /members': call('/members'), 'GET /api-keys': call('/api-keys') };
}

/** What calls of a workspace take, one operation after another. */
async function measure(
  { processes }: RunningServices,
  calls: Record<string, Call>,
  what: string,
): Promise<void> {
  const measured = processes.filter(({ service }) => service !== 'gateway');
  for (const [operation, call] of Object.entries(calls)) {
    for (let warm = 0; warm < WARM_UP_CALLS; ) warm += (await timesOf(CALLERS, WARM_UP_SECONDS, call)).length;
    const idle = await idleMs(measured, mongo);
    const spent = await spentOn(measured, mongo, {
      call,
      load: { callsPerSecond: CALLS_PER_SECOND },
      seconds,
    });
    printCost(operation, what, spent, idle);
  }
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
  await callsIn(tenant, [])['POST /decisions']();
  const ids = await seedScale(mongo, tenant.workspaceId, size);
  const [decisions, workspaces] = await Promise.all([
    mongo.db('waymark_decisions').collection('decisions').estimatedDocumentCount(),
    mongo.db('waymark_accounts').collection('workspaces').estimatedDocumentCount(),
  ]);
  return { ids, what: `${decisions} decisions, ${workspaces} workspaces` };
}

async function measureGrowth(size: Size, run: boolean): Promise<void> {
  services = await start({ only: ['accounts', 'decisions'] });
  const tenant = await tenantIn(services.baseUrl);
  const { ids, what } = await fill(tenant, size);
  const calls = { ...callsIn(tenant, ids), ...accountCalls(services, tenant) };
  if (run) await measure(services, calls, what);
  else console.log(what);
  await services.stop();
}

const letSleep = values.awake ? await keepAwake() : undefined;
console.log(`${machine()}, ${seconds} s each${values.awake ? ', processors kept awake' : ''}\n`);
if (part !== 'load') printCostHead();
try {
  const wanted = (...names: string[]) => part === 'all' || names.includes(part);
  if (wanted('replicas')) await measureReplicas({ start, mongo, secrets, agent, seconds });
  if (wanted('small')) await measureGrowth(sizes.small, true);
  if (wanted('load', 'large')) await measureGrowth(sizes.large, part !== 'load');
  console.log(`\nat the end: ${machine()}`);
} finally {
  agent.destroy();
  await mongo.close();
  await services?.stop();
  await stores.stop();
  await letSleep?.();
  if (!kept) await rm(directory, { recursive: true, force: true });
}
