import { join } from 'node:path';
import { findRepositoryRoot, freePort, type ManagedProcess, startProcess } from '@waymark/local-stack';
import { startBench } from '../support/bench.ts';
import { quantile } from '../support/quantile.ts';
import { machine, printHead, printRow } from '../support/table.ts';
import { type Figures, type Load, measure } from './wrk.ts';

/**
 * `npm run bench:gateway [seconds] [rounds]`: compares this gateway with the smallest one made of its
 * packages (express-proxy.ts) in front of one upstream. In each round, both run for `seconds`, in random
 * order. The result is the median of the pairs, because the speed of a shared machine changes within half
 * a minute by more than gateways differ.
 */
const seconds = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 20);
/** Before the first measurement of each gateway: code that V8 has not compiled takes twice as long. */
const WARM_UP_SECONDS = 10;
const CONNECTIONS = 64;
const PATH = '/v1/decisions';

interface Gateway {
  name: string;
  load: Omit<Load, 'seconds'>;
  pid: number;
  turns: Figures[];
}

const started: ManagedProcess[] = [];

/** Starts a program of this folder. */
async function startBeside(file: string, env: Record<string, string>): Promise<{ url: string; pid: number }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name: file,
    command: process.execPath,
    args: [join(findRepositoryRoot(), 'bench/gateway', file)],
    env: { PORT: String(port), ...env },
    readyUrl: url,
  });
  started.push(running);
  return { url, pid: running.pid };
}

const upstream = await startBeside('upstream.ts', {});
const bench = await startBench({ only: ['accounts'], env: { DECISIONS_URL: upstream.url } });
const gateways: Gateway[] = [];

try {
  const { workspaceId, key } = await bench.workspace();
  const add = (name: string, url: string, pid: number, headers?: Record<string, string>) => {
    const load = { connections: CONNECTIONS, url: `${url}${PATH}?workspaceId=${workspaceId}` };
    gateways.push({ name, load: { ...load, ...(headers && { headers }) }, pid, turns: [] });
  };
  const own = bench.processOf('gateway');
  add('Waymark', own.url, own.process.pid, { Authorization: `Bearer ${key}` });
  const peer = await startBeside('express-proxy.ts', {
    REDIS_URL: bench.stores.redisUrl,
    UPSTREAM_URL: upstream.url,
  });
  add('Express 5 + http-proxy-middleware 4, one script', peer.url, peer.pid);

  for (const { load, pid } of gateways) await measure({ ...load, seconds: WARM_UP_SECONDS }, pid);
  for (let round = 0; round < rounds; round += 1) {
    const order = Math.random() < 0.5 ? gateways : gateways.toReversed();
    for (const { load, pid, turns } of order) turns.push(await measure({ ...load, seconds }, pid));
  }
} finally {
  for (const running of started) await running.stop();
  await bench.stop();
}

console.log(
  `\n${machine()}, wrk -t1 -c${CONNECTIONS} -d${seconds}s, 1 KB responses, medians of ${rounds} rounds\n`,
);
printHead(['gateway', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs a request', 'failures']);
for (const { name, turns } of gateways) {
  const median = (figure: keyof Figures) => {
    const values = turns.map((turn) => turn[figure]);
    return quantile(values, 0.5);
  };
  printRow([
    name,
    median('requestsPerSecond').toFixed(0),
    median('p50Ms').toFixed(2),
    median('p99Ms').toFixed(2),
    median('cpuMicroseconds').toFixed(0),
    turns.reduce((sum, { failures }) => sum + failures, 0),
  ]);
}
const [ours, theirs] = gateways as [Gateway, Gateway];
const ratios = ours.turns.map((turn, i) => turn.cpuMicroseconds / theirs.turns[i]!.cpuMicroseconds);
const [low, middle, high] = [0.25, 0.5, 0.75].map((at) => quantile(ratios, at).toFixed(2));
console.log(`\nCPU per request, Waymark divided by its peer: ${middle} (quartiles ${low} to ${high})`);
