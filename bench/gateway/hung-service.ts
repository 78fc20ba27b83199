import http from 'node:http';
import { httpCall } from '@waymark/testing';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { timesAt } from '../support/callers.ts';
import { quantile } from '../support/quantile.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:hung-service [seconds] [rounds]`: measures calls of one service while another one hangs
 * (its process is stopped, its connections stay open) and gets as many calls, and compares them with both
 * being healthy, in alternating rounds.
 */
const seconds = Number(process.argv[2] ?? 8);
const rounds = Number(process.argv[3] ?? 4);
const PER_SECOND = 50;
const WARM_UP_SECONDS = 10;

const product = await startTemporaryProduct({
  only: ['accounts', 'decisions'],
  env: { LIMIT_SCALE: '1000000', LOG_LEVEL: 'fatal' },
});
const agent = new http.Agent({ keepAlive: true });
try {
  const { services } = product;
  const { workspaceId, cookie } = await newWorkspace(services.baseUrl, 'bench');
  const hanging = services.processes.find(({ service }) => service === 'decisions')!;
  const call = (path: string, statuses: readonly number[]) => async () => {
    const answer = await httpCall(services.baseUrl, 'GET', path, {
      agent,
      headers: { cookie },
      query: { workspaceId },
    });
    if (!statuses.includes(answer.status)) throw new Error(`GET ${path} answered ${answer.status}`);
  };
  /** Latencies of the healthy service, in ms. */
  const bothFor = async (span: number): Promise<number[]> => {
    const [times] = await Promise.all([
      timesAt(PER_SECOND, span, call('/members', [200])),
      timesAt(PER_SECOND, span, call('/decisions', [200, 429, 503])),
    ]);
    return times;
  };
  const turns: Record<'well' | 'hung', number[][]> = { well: [], hung: [] };
  await bothFor(WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round += 1) {
    turns.well.push(await bothFor(seconds));
    await hanging.process.kill('SIGSTOP');
    turns.hung.push(await bothFor(seconds));
    await hanging.process.kill('SIGCONT');
    // Wait until the circuit has closed again.
    await bothFor(WARM_UP_SECONDS / 2);
  }
  console.log(
    `\n${machine()}, GET /members and GET /decisions at ${PER_SECOND}/s each, ${rounds} rounds of ${seconds} s\n`,
  );
  printHead(['decisions', 'GET /members p50 ms', 'p99 ms', 'p99 of each round', 'longest ms']);
  for (const [name, times] of Object.entries(turns)) {
    const all = times.flat();
    printRow([
      name,
      quantile(all, 0.5).toFixed(1),
      quantile(all, 0.99).toFixed(1),
      times.map((ofRound) => quantile(ofRound, 0.99).toFixed(1)).join(', '),
      Math.max(...all).toFixed(1),
    ]);
  }
} finally {
  agent.destroy();
  await product.stop();
}
