import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startBench } from '../support/bench.ts';
import { type CallFigures, figuresOf, timesOf } from '../support/callers.ts';
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
const DURABLE = { writeConcern: { w: 'majority', journal: true } } as const;

// Without consumers of the events, which would compete for the two cores.
const bench = await startBench({ only: ['accounts', 'decisions'] });
const { stores, mongo, processOf } = bench;

async function bareTransaction(): Promise<void> {
  const db = mongo.db('bench');
  await mongo.withSession((session) =>
    session.withTransaction(async () => {
      const id = randomUUID();
      await db.collection<{ _id: string }>('records').insertOne({ _id: id, ...body }, { session });
      await db.collection<{ _id: string }>('events').insertOne({ _id: id, ...body }, { session });
    }, DURABLE),
  );
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

async function cpuNow(): Promise<Record<string, number>> {
  const { user, system } = process.cpuUsage();
  return {
    decisions: await processorMs(processOf('decisions').process.pid),
    gateway: await processorMs(processOf('gateway').process.pid),
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
  const { workspaceId, call } = await bench.workspace();
  const query = { workspaceId };
  const principal = keyPrincipal({ workspace_id: workspaceId });
  const at = processOf('decisions').url + BASE_PATH;
  // A token expires before the end of a run.
  const ways = async (): Promise<Way[]> => {
    const headers = await bench.headersFor(principal, 'decisions');
    return [
      { name: 'bare transaction', call: bareTransaction },
      { name: 'service', call: () => bench.call('POST', '/decisions', { at, headers, query, body }) },
      { name: 'through the gateway', call: () => call('POST', '/decisions', { query, body }) },
    ];
  };
  // Measure warm processes, not V8's compilation.
  for (const { call } of await ways()) await timesOf(WARMING_CALLERS, seconds, call);
  for (const callers of CALLERS) rows.push(...(await measure(callers, await ways())));
} finally {
  await bench.stop();
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
