import type { NewWorkspace } from '../../dev/new-workspace.ts';
import { timesAt } from '../support/callers.ts';
import { newDecision } from '../support/new-decision.ts';
import { quantile } from '../support/quantile.ts';
import { machine, printHead, printRow } from '../support/table.ts';
import { filledWorkspace, startTransferStand } from '../transfer/installation.ts';

/**
 * `npm run bench:growth [decisions] [seconds] [directory]`: calls operations through the gateway at a
 * constant rate, in a workspace with 1,000 decisions and in one with many, in alternating rounds. A
 * directory keeps the stores for later runs.
 */
const DECISIONS = Number(process.argv[2] ?? 1_000_000);
const SECONDS = Number(process.argv[3] ?? 12);
const FEW = 1_000;
const ROUNDS = 4;
/** Well below the capacity of two cores for any operation. */
const PER_SECOND = 30;
const WARM_SECONDS = 2;

type Send = (path: string, method?: string, body?: object) => Promise<Record<string, unknown>>;

/** The operations, each of which takes one of the newest decisions in turn. */
const OPERATIONS: Record<string, (send: Send, id: string, n: number) => Promise<unknown>> = {
  'POST /decisions': (send) => send('/decisions', 'POST', newDecision),
  'PATCH /decisions/{id}': (send, id, n) => send(`/decisions/${id}`, 'PATCH', { resolution: `Said ${n}` }),
  'GET /decisions/{id}': (send, id) => send(`/decisions/${id}`),
  'GET /decisions/{id}/history': (send, id) => send(`/decisions/${id}/history`),
  'GET /decisions/{id}/outcomes': (send, id) => send(`/decisions/${id}/outcomes`),
  'GET /decisions': (send) => send('/decisions?limit=100'),
  'GET /decisions, of a status': (send) => send('/decisions?limit=100&status=proposed'),
  'GET /decisions, by title': (send) => send('/decisions?limit=100&sort=title'),
  'GET /metrics': (send) => send('/metrics'),
};

const { bench, full } = await startTransferStand(DECISIONS, process.argv[4]);

async function side(decisions: number, { key, workspaceId }: NewWorkspace) {
  const headers = { authorization: `Bearer ${key}` };
  const send: Send = (path, method = 'GET', body) =>
    bench.call(method, path, { headers, ...(body && { body: { workspaceId, ...body } }) });
  const newest = (await send('/decisions?limit=500'))['decisions'] as { id: string }[];
  return { decisions, send, ids: newest.map(({ id }) => id) };
}

try {
  const few = await filledWorkspace(bench, `few-${Date.now()}`, FEW);
  const sides = [await side(FEW, few), await side(DECISIONS, full)];
  console.log(`${machine()}, ${PER_SECOND} calls/s, ${SECONDS} s each\n`);
  printHead([
    'operation',
    ...sides.flatMap(({ decisions }) => [`${decisions}: p50 ms`, 'p99 ms']),
    'p99 grew',
  ]);
  let n = 0;
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const times: number[][] = sides.map(() => []);
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [i, { send, ids }] of sides.entries()) {
        const call = async () => {
          n += 1;
          await operation(send, ids[n % ids.length]!, n);
        };
        const found = await timesAt(PER_SECOND, round === 0 ? WARM_SECONDS : SECONDS / ROUNDS, call);
        if (round > 0) times[i]!.push(...found);
      }
    const figures = times.map((all) => [quantile(all, 0.5), quantile(all, 0.99)]);
    const growth = figures[1]![1]! / figures[0]![1]!;
    printRow([name, ...figures.flat().map((ms) => ms.toFixed(1)), growth.toFixed(2)]);
  }
} finally {
  await bench.stop();
}
