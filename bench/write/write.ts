import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { BASE_PATH, internalHeaders, type KeyPrincipal, newId } from '@waymark/contracts';
import { httpCall } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { type CallFigures, figuresOf, timesOf } from '../support/callers.ts';
import { gatewayIdentity } from '../support/gateway-identity.ts';
import { newDecision as body } from '../support/new-decision.ts';
import { processorMs } from '../support/processor-ms.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:write [seconds]`: compares POST /decisions, durable with its event, with a bare
 * transaction of two inserts, in alternating rounds, and measures the processor time per call.
 */
const seconds = Number(process.argv[2] ?? 8);
const CALLERS = [1, 16, 64];
const WARMING_CALLERS = 16;
const TURNS = 4;

const product = await startTemporaryProduct({
  // Without consumers of the events, which would compete for the two cores.
  only: ['accounts', 'decisions'],
  env: { LIMIT_SCALE: '1000000' },
});
const { services, stores, secrets } = product;
const mongo = new MongoClient(stores.mongoUrl, {
  writeConcern: { w: 'majority', journal: true },
  maxPoolSize: 64,
});
const agent = new http.Agent({ keepAlive: true });

async function bareTransaction(): Promise<void> {
  const db = mongo.db('bench');
  await mongo.withSession((session) =>
    session.withTransaction(async () => {
      const id = randomUUID();
      await db.collection<{ _id: string }>('records').insertOne({ _id: id, ...body }, { session });
      await db.collection<{ _id: string }>('events').insertOne({ _id: id, ...body }, { session });
    }),
  );
}

async function post(base: string, headers: Record<string, string>, workspaceId: string): Promise<void> {
  const answer = await httpCall(base + BASE_PATH, 'POST', '/decisions', {
    agent,
    headers,
    query: { workspaceId },
    body,
  });
  if (answer.status !== 201) throw new Error(`POST /decisions answered ${answer.status}: ${answer.text}`);
}

interface Way {
  name: string;
  call: () => Promise<void>;
}
interface Row {
  callers: number;
  name: string;
  figures: CallFigures;
  /** Processor time of one call, by process. */
  cpu: Record<string, number>;
}

const pidOf = (name: string) => services.processes.find(({ service }) => service === name)!.process.pid;

async function cpuNow(): Promise<Record<string, number>> {
  const { user, system } = process.cpuUsage();
  return {
    decisions: await processorMs(pidOf('decisions')),
    gateway: await processorMs(pidOf('gateway')),
    MongoDB: await processorMs(stores.mongo!.pid),
    load: (user + system) / 1_000,
  };
}

async function measure(callers: number, ways: readonly Way[]): Promise<Row[]> {
  const runs = ways.map((way) => ({ way, times: [] as number[], cpu: {} as Record<string, number> }));
  for (const { call } of ways) await timesOf(callers, seconds / TURNS / 2, call);
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const run of runs) {
      const before = await cpuNow();
      run.times.push(...(await timesOf(callers, seconds / TURNS, run.way.call)));
      const after = await cpuNow();
      for (const key of Object.keys(after)) run.cpu[key] = (run.cpu[key] ?? 0) + after[key]! - before[key]!;
    }
  }
  return runs.map(({ way, times, cpu }) => ({
    callers,
    name: way.name,
    figures: figuresOf(times, seconds),
    cpu: Object.fromEntries(Object.entries(cpu).map(([key, ms]) => [key, ms / times.length])),
  }));
}

const rows: Row[] = [];
try {
  const { baseUrl, processes } = services;
  const { workspaceId, key } = await newWorkspace(baseUrl, 'bench');
  const urlOf = (name: string) => processes.find(({ service }) => service === name)!.url;
  const keyHeaders = { authorization: `Bearer ${key}` };
  const principal: KeyPrincipal = {
    type: 'api_key',
    key_id: newId(),
    key_name: 'bench',
    key_prefix: 'wmk_bench0',
    user_id: newId(),
    workspace_id: workspaceId,
    scopes: ['read', 'write'],
    plan: 'business',
  };
  const identity = gatewayIdentity(secrets);
  // A token expires before the end of a run.
  const ways = async (): Promise<Way[]> => {
    const serviceHeaders = { [internalHeaders.identity]: await identity.sign(principal, 'decisions') };
    return [
      { name: 'bare transaction', call: bareTransaction },
      { name: 'service', call: () => post(urlOf('decisions'), serviceHeaders, workspaceId) },
      { name: 'through the gateway', call: () => post(urlOf('gateway'), keyHeaders, workspaceId) },
    ];
  };
  // Measure warm processes, not V8's compilation.
  for (const { call } of await ways()) await timesOf(WARMING_CALLERS, seconds, call);
  for (const callers of CALLERS) rows.push(...(await measure(callers, await ways())));
} finally {
  agent.destroy();
  await mongo.close();
  await product.stop();
}

console.log(`\n${machine()}, ${seconds} s each, load generator included\n`);
const processes = ['decisions', 'gateway', 'MongoDB', 'load'];
printHead(
  [
    'callers',
    'POST /decisions',
    'per second',
    'of the bare rate',
    'p50 ms',
    'more at p50 ms',
    'p99 ms',
    ...processes.map((name) => `CPU ms of ${name}`),
  ],
  2,
);
for (const { callers, name, figures, cpu } of rows) {
  const bare = rows.find((row) => row.callers === callers && row.name === 'bare transaction')!.figures;
  printRow([
    callers,
    name,
    figures.perSecond.toFixed(0),
    (figures.perSecond / bare.perSecond).toFixed(2),
    figures.p50Ms.toFixed(1),
    (figures.p50Ms - bare.p50Ms).toFixed(1),
    figures.p99Ms.toFixed(1),
    ...processes.map((key) => cpu[key]!.toFixed(2)),
  ]);
}
