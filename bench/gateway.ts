import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRepositoryRoot, freePort, startProcess, startStores } from '@waymark/local-stack';
import { callApi } from '../dev/api.ts';
import { readSecrets } from '../dev/secrets.ts';
import { startServices } from '../dev/services.ts';
import { type Peer, startExpressGateway, startHaproxy, startNginx } from './peers.ts';
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
const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-'));
const root = findRepositoryRoot();
const upstreamPort = await freePort();
const upstream = await startProcess({
  name: 'upstream',
  command: process.execPath,
  args: [join(root, 'bench/upstream.ts')],
  env: { PORT: String(upstreamPort) },
  readyUrl: `http://127.0.0.1:${upstreamPort}/`,
});
const stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined });
const services = await startServices({
  root,
  port: await freePort(),
  stores,
  secrets: await readSecrets(directory),
  logDirectory: directory,
  only: ['accounts'],
  env: { LIMIT_SCALE: '1000000', DECISIONS_URL: `http://127.0.0.1:${upstreamPort}` },
});

try {
  const { baseUrl, processes } = services;
  const signedUp = await callApi<{ workspaces: { id: string }[] }>(`${baseUrl}/auth/sign-up`, {
    method: 'POST',
    body: { email: 'bench@example.com', password: 'correct horse battery', name: 'Bench' },
  });
  const workspaceId = signedUp.body.workspaces[0]!.id;
  const { body } = await callApi<{ key: string }>(`${baseUrl}/api-keys`, {
    method: 'POST',
    headers: { cookie: signedUp.cookie ?? '' },
    body: { workspaceId, name: 'bench' },
  });
  const gateway = processes.find(({ service }) => service === 'gateway')!;
  const url = `${gateway.url}${PATH}?workspaceId=${workspaceId}`;
  const load = { connections: CONNECTIONS, seconds };
  rows.push([
    'Waymark',
    await measure({ ...load, url, headers: { Authorization: `Bearer ${body.key}` } }, [gateway.process.pid]),
  ]);

  for (const start of [startNginx, startHaproxy, startExpressGateway]) {
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
  await services.stop();
  await upstream.stop();
  await stores.stop();
  await rm(directory, { recursive: true, force: true });
}

console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model.trim()}), wrk -t1 -c${CONNECTIONS} -d${seconds}s, 1 KB answers\n`,
);
console.log('| gateway | requests/s | p50 ms | p99 ms | CPU µs a request | failures |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [name, f] of rows) {
  console.log(
    `| ${name} | ${f.requestsPerSecond.toFixed(0)} | ${f.p50Ms.toFixed(2)} | ${f.p99Ms.toFixed(2)} | ${f.cpuMicroseconds.toFixed(0)} | ${f.failures} |`,
  );
}
