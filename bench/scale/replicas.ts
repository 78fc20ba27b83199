import { BASE_PATH } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startBench } from '../support/bench.ts';
import { figuresOf, timesAt, timesOf } from '../support/callers.ts';
import { newDecision } from '../support/new-decision.ts';
import { processorMs, processorMsOfAll } from '../support/processor-ms.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:replicas [seconds]`: measures calls at the same rate for each of 1, 2 and 4 replicas of
 * decisions, as when replicas are added for more load. All replicas run during the whole bench, and rows
 * alternate.
 */
const SECONDS = Number(process.argv[2] ?? 10);
const REPLICAS = [1, 2, 4];
const ROUNDS = 2;
/** The requests of each process; well below two cores. */
const PER_SECOND = 60;
const WARM_UP = { callers: 8, seconds: 10 };

const most = Math.max(...REPLICAS);
const bench = await startBench({
  only: ['decisions'],
  replicas: { decisions: most },
  env: { LOG_LEVEL: 'warn' },
});
const processes = bench.services.processes.filter(({ service }) => service === 'decisions');
const pids = processes.map(({ process }) => process.pid);
const mongodPid = bench.stores.mongo!.pid;
const principal = keyPrincipal();
let turn = 0;

/** Calls the first `count` replicas in turn, as the gateway does. */
async function send(count: number, method: string, path: string, body?: object) {
  turn += 1;
  const headers = await bench.headersFor(principal, 'decisions');
  const query = { workspaceId: principal.workspace_id };
  const at = processes[turn % count]!.url + BASE_PATH;
  return bench.call(method, path, { at, headers, query, body });
}

try {
  const { id } = await send(1, 'POST', '/decisions', newDecision);
  const operations: Record<string, (count: number) => Promise<void>> = {
    'POST /decisions': (count) => send(count, 'POST', '/decisions', newDecision),
    'GET /decisions/{id}': (count) => send(count, 'GET', `/decisions/${id}`),
  };
  console.log(`${machine()}, ${PER_SECOND} calls/s to each replica, ${SECONDS} s each\n`);
  printHead(['operation', 'replicas', 'p50 ms', 'p99 ms', 'CPU ms of the service', 'CPU ms of MongoDB']);
  for (const [name, operation] of Object.entries(operations)) {
    await timesOf(WARM_UP.callers, WARM_UP.seconds, () => operation(most));
    const rows = REPLICAS.map((count) => ({ count, times: [] as number[], service: 0, mongod: 0 }));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        const before = [await processorMsOfAll(pids), await processorMs(mongodPid)] as const;
        const call = () => operation(row.count);
        row.times.push(...(await timesAt(PER_SECOND * row.count, SECONDS / ROUNDS, call)));
        row.service += (await processorMsOfAll(pids)) - before[0];
        row.mongod += (await processorMs(mongodPid)) - before[1];
      }
    }
    for (const { count, times, service, mongod } of rows) {
      const { p50Ms, p99Ms } = figuresOf(times, SECONDS);
      const cells = [p50Ms, p99Ms, service / times.length, mongod / times.length];
      printRow([name, count, ...cells.map((ms) => ms.toFixed(2))]);
    }
  }
} finally {
  await bench.stop();
}
