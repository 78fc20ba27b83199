import { loadavg } from 'node:os';
import { freePort } from '@waymark/local-stack';
import type { NewWorkspace } from '../../dev/new-workspace.ts';
import { quantile } from '../support/quantile.ts';
import { machine } from '../support/table.ts';
import { type Installation, insertBacklog, startInstallation } from './installation.ts';
import { type Burst, burst, type Latency, paced, type Receiver, startReceiver } from './load.ts';
import { type Source, sourceOf } from './source.ts';
import { startSvix } from './svix.ts';

/**
 * `[SVIX_SERVER=path] npm run bench:webhooks [seconds] [rounds] [backlog]`: measures a burst of 2,000 events
 * from publication to a local receiver, and 50 calls per second through the gateway from call to receipt.
 * Both alternate with Svix if its binary is given. Unless the backlog is 0, it then measures ten endpoints
 * with and without a dead one, and repeats the first two measurements beside a second installation with that
 * backlog.
 *
 * To build Svix, run `cargo build --release --package svix-server` in the folder `server` of
 * svix/svix-webhooks at v1.100.0. It needs PostgreSQL (apt-get install postgresql).
 */
const seconds = Number(process.argv[2] ?? 20);
const rounds = Number(process.argv[3] ?? 3);
const backlog = Number(process.argv[4] ?? 1_000_000);
const BURST = { count: 2_000, callers: 16 };
const STEADY = { perSecond: 50, seconds };
/**
 * Code that V8 has not compiled takes several times as long, so the first seconds of each installation do
 * not count.
 */
const WARM_UP = { perSecond: 50, seconds: 15 };
/** Each call causes ten deliveries. */
const SPREAD = { perSecond: 10, seconds, copies: 9 };

const report = (line: string) => console.log(line);
const median = (values: number[]) => quantile(values, 0.5);
const burstLine = ({ perSecond, cpuMs }: Burst) => {
  const cpu = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `${perSecond.toFixed(0)} deliveries/s; processor ms a delivery: ${cpu.join(', ')}`;
};
const latencyLine = ({ p50Ms, p99Ms, refused, partsMs }: Latency) => {
  const parts = Object.entries(partsMs).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; medians: ${parts.join(', ')}${refused ? `; ${refused} calls refused` : ''}`;
};

/** Measures each side once per round and prints the ratio of their medians. */
async function alternating<T>(
  sides: [name: string, measure: () => Promise<T>][],
  line: (result: T) => string,
  figures: Record<string, (result: T) => number>,
): Promise<void> {
  const results = sides.map((): T[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, [name, measure]] of sides.entries()) {
      const result = await measure();
      results[i]!.push(result);
      report(`${name}: ${line(result)} (load average ${loadavg()[0]!.toFixed(1)})`);
    }
  }
  const [first, second] = results;
  if (!first || !second) return;
  for (const [name, figure] of Object.entries(figures)) {
    const ratio = median(second.map(figure)) / median(first.map(figure));
    report(`  ${name}, median of ${rounds}: ${ratio.toFixed(2)} of that of "${sides[0]![0]}"`);
  }
}

/** Enough calls and bursts to compile the whole path. */
async function warm(source: Source): Promise<Source> {
  await burst(source, receiver, BURST);
  await burst(source, receiver, BURST);
  await paced(source, receiver, WARM_UP);
  return source;
}

const running: { stop(): Promise<void> }[] = [];

async function install(): Promise<Installation> {
  const installation = await startInstallation();
  running.push(installation);
  return installation;
}

async function warmInstallation(installation: Installation): Promise<Source> {
  const workspace = await installation.createWorkspace();
  await installation.createWebhook(workspace, receiver.url);
  return warm(await sourceOf(installation, workspace));
}

async function warmSvix(binary: string): Promise<Source> {
  const svix = await startSvix(binary, receiver.url);
  running.push(svix);
  return warm(svix);
}

/** Measures the burst and the constant rate, alternating between all sides. */
async function bothLoads(sides: [name: string, source: Source][]): Promise<void> {
  await alternating(
    sides.map(([name, source]) => [`burst of ${BURST.count}${name}`, () => burst(source, receiver, BURST)]),
    burstLine,
    { 'deliveries/s': ({ perSecond }) => perSecond },
  );
  await alternating(
    sides.map(([name, source]) => [`${STEADY.perSecond}/s${name}`, () => paced(source, receiver, STEADY)]),
    latencyLine,
    { p50: ({ p50Ms }) => p50Ms, p99: ({ p99Ms }) => p99Ms },
  );
}

/** Measures nine live endpoints beside a live and beside a dead tenth one. */
async function besideDead(installation: Installation): Promise<void> {
  const nine = async (): Promise<NewWorkspace> => {
    const workspace = await installation.createWorkspace();
    for (let n = 0; n < 9; n += 1) await installation.createWebhook(workspace, others.url);
    return workspace;
  };
  const [healthy, ailing] = [await nine(), await nine()];
  await installation.createWebhook(healthy, receiver.url);
  const dead = await installation.createWebhook(ailing, `http://127.0.0.1:${await freePort()}`);
  const [amongLive, amongDead] = [
    await sourceOf(installation, healthy),
    await sourceOf(installation, ailing),
  ];
  await paced(amongLive, others, SPREAD);
  await alternating(
    [
      ['nine of ten live endpoints', () => paced(amongLive, others, SPREAD)],
      [
        'nine beside a dead one',
        async () => {
          await installation.setEnabled(ailing, dead, true);
          const latency = await paced(amongDead, others, SPREAD);
          // Its retries must not affect the other side.
          await installation.setEnabled(ailing, dead, false);
          return latency;
        },
      ],
    ],
    latencyLine,
    { p50: ({ p50Ms }) => p50Ms, p99: ({ p99Ms }) => p99Ms },
  );
}

const receivers: Receiver[] = [await startReceiver(), await startReceiver()];
const [receiver, others] = receivers as [Receiver, Receiver];
const svixServer = process.env['SVIX_SERVER'];
try {
  report(`${machine()}, load generator and receiver included`);
  const plain = await install();
  const one = await warmInstallation(plain);
  await bothLoads(
    svixServer
      ? [
          [', Svix', await warmSvix(svixServer)],
          [', Waymark', one],
        ]
      : [['', one]],
  );
  if (backlog > 0) {
    await besideDead(plain);
    const loaded = await install();
    const beside = await warmInstallation(loaded);
    await insertBacklog(loaded, backlog);
    await burst(beside, receiver, BURST);
    await bothLoads([
      ['', one],
      [` with ${backlog} pending`, beside],
    ]);
  }
} finally {
  for (const { process: child } of receivers) child.kill();
  await Promise.all(running.map((one) => one.stop()));
}
