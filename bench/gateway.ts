import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot, freePort, startProcess } from '@waymark/local-stack';
import { newWorkspace } from '../dev/new-workspace.ts';
import { startTemporaryProduct } from '../dev/temporary-product.ts';
import { type Peer, startExpressGateway, startExpressProxy, startHaproxy, startNginx } from './peers.ts';
import { machine, printHead, printRow } from './table.ts';
import { type Figures, measure } from './wrk.ts';

/** `npm run bench:gateway [seconds]`: this gateway beside its peers, one after another, in front of one upstream. */
const seconds = Number(process.argv[2] ?? 10);
const CONNECTIONS = 64;
const PATH = '/v1/decisions';

function childrenOf(pid: number): number[] {
  const out = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return out.split('\n').filter(Boolean).map(Number);
}

const withChildren = (pid: number): number[] => {
  try {
    return [pid, ...childrenOf(pid)];
  } catch {
    return [pid];
  }
};

const rows: [name: string, figures: Figures][] = [];
const upstreamPort = await freePort();
const upstream = await startProcess({
  name: 'upstream',
  command: process.execPath,
  args: [join(findRepositoryRoot(), 'bench/upstream.ts')],
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
  const load = { connections: CONNECTIONS, seconds };
  rows.push([
    'Waymark',
    await measure({ ...load, url, headers: { Authorization: `Bearer ${key}` } }, [gateway.process.pid]),
  ]);

  for (const start of [startExpressProxy, startNginx, startHaproxy, startExpressGateway]) {
    const home = join(directory, start.name);
    await mkdir(home, { recursive: true });
    const port = await freePort();
    const peer: Peer = await start({ directory: home, port, upstreamPort, redisUrl: stores.redisUrl });
    const peerUrl = `http://127.0.0.1:${port}${PATH}?workspaceId=${workspaceId}`;
    const pids = withChildren(peer.process.pid);
    rows.push([peer.name, await measure({ ...load, url: peerUrl, headers: peer.header }, pids)]);
    await peer.process.stop();
  }
} finally {
  await product.stop();
  await upstream.stop();
}

console.log(`\n${machine()}, wrk -t1 -c${CONNECTIONS} -d${seconds}s, 1 KB answers\n`);
printHead(['gateway', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs a request', 'failures']);
for (const [name, f] of rows) {
  printRow([
    name,
    f.requestsPerSecond.toFixed(0),
    f.p50Ms.toFixed(2),
    f.p99Ms.toFixed(2),
    f.cpuMicroseconds.toFixed(0),
    f.failures,
  ]);
}
