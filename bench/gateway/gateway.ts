import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot, freePort, startProcess } from '@waymark/local-stack';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { quantile } from '../support/quantile.ts';
import { machine, printHead, printRow } from '../support/table.ts';
import { type Peer, startExpressGateway, startExpressProxy, startHaproxy, startNginx } from './peers.ts';
import { type Figures, type Load, measure } from './wrk.ts';

/**
 * `npm run bench:gateway [seconds] [rounds]`: compares this gateway with its peers in front of one
 * upstream. In each round, each peer runs for `seconds` next to a run of this gateway, in random order. The
 * result is the median of the pairs, because the speed of a shared machine changes within half a minute by
 * more than gateways differ.
 */
const seconds = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 20);
/** Before the first measurement of each gateway: code that V8 has not compiled takes twice as long. */
const WARM_UP_SECONDS = 10;
const CONNECTIONS = 64;
const PATH = '/v1/decisions';

function inAnyOrder<T>(things: readonly T[]): T[] {
  const drawn = things.map((thing) => ({ thing, lot: Math.random() }));
  return drawn.sort((a, b) => a.lot - b.lot).map(({ thing }) => thing);
}

interface Gateway {
  name: string;
  load: Omit<Load, 'seconds'>;
  pid: number;
  turns: Figures[];
  /** CPU time per request of this gateway in the adjacent run, divided by the peer's own. */
  ratios: number[];
}

const ratioOf = ({ ratios }: Gateway) => {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((at) => quantile(ratios, at).toFixed(2));
  return `${middle} times (${low} to ${high})`;
};

const gateways: Gateway[] = [];
const peers: Peer[] = [];
const upstreamPort = await freePort();
const upstream = await startProcess({
  name: 'upstream',
  command: process.execPath,
  args: [join(findRepositoryRoot(), 'bench/gateway/upstream.ts')],
  env: { PORT: String(upstreamPort) },
  readyUrl: `http://127.0.0.1:${upstreamPort}/`,
});
const product = await startTemporaryProduct({
  only: ['accounts'],
  env: { LIMIT_SCALE: '1000000', DECISIONS_URL: `http://127.0.0.1:${upstreamPort}` },
});

try {
  const { directory, stores, services } = product;
  const { workspaceId, key } = await newWorkspace(services.baseUrl, 'bench');
  const gateway = services.processes.find(({ service }) => service === 'gateway')!;
  const url = `${gateway.url}${PATH}?workspaceId=${workspaceId}`;
  gateways.push({
    name: 'Waymark',
    load: { connections: CONNECTIONS, url, headers: { Authorization: `Bearer ${key}` } },
    pid: gateway.process.pid,
    turns: [],
    ratios: [],
  });
  for (const start of [startExpressProxy, startNginx, startHaproxy, startExpressGateway]) {
    const home = join(directory, start.name);
    await mkdir(home, { recursive: true });
    const port = await freePort();
    const peer = await start({ directory: home, port, upstreamPort, redisUrl: stores.redisUrl });
    peers.push(peer);
    gateways.push({
      name: peer.name,
      load: {
        connections: CONNECTIONS,
        url: `http://127.0.0.1:${port}${PATH}?workspaceId=${workspaceId}`,
        headers: peer.header,
      },
      pid: peer.process.pid,
      turns: [],
      ratios: [],
    });
  }

  for (const { load, pid } of gateways) await measure({ ...load, seconds: WARM_UP_SECONDS }, pid);
  const takeTurn = async ({ load, pid, turns }: Gateway) =>
    turns.push(await measure({ ...load, seconds }, pid));
  const [waymark, ...others] = gateways;
  for (let round = 0; round < rounds; round += 1) {
    for (const peer of inAnyOrder(others)) {
      for (const one of inAnyOrder([waymark!, peer])) await takeTurn(one);
      const [ours, theirs] = [waymark!, peer].map(({ turns }) => turns.at(-1)!.cpuMicroseconds);
      peer.ratios.push(ours! / theirs!);
    }
  }
} finally {
  for (const peer of peers) await peer.process.stop();
  await product.stop();
  await upstream.stop();
}

console.log(
  `\n${machine()}, wrk -t1 -c${CONNECTIONS} -d${seconds}s, 1 KB answers, medians of ${rounds} rounds, of the ratios with their quartiles\n`,
);
printHead(['gateway', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs a request', 'Waymark takes', 'failures']);
for (const gateway of gateways) {
  const median = (figure: keyof Figures) =>
    quantile(
      gateway.turns.map((turn) => turn[figure]),
      0.5,
    );
  printRow([
    gateway.name,
    median('requestsPerSecond').toFixed(0),
    median('p50Ms').toFixed(2),
    median('p99Ms').toFixed(2),
    median('cpuMicroseconds').toFixed(0),
    gateway.ratios.length > 0 ? ratioOf(gateway) : '',
    gateway.turns.reduce((sum, { failures }) => sum + failures, 0),
  ]);
}
