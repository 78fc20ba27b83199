import { loadavg } from 'node:os';
import { freePort } from '@waymark/local-stack';
import type { NewWorkspace } from '../dev/new-workspace.ts';
import { quantile } from './quantile.ts';
import { machine } from './table.ts';
import { type Installation, insertBacklog, startInstallation } from './webhook-installation.ts';
import { type Burst, burst, type Latency, paced, type Receiver, startReceiver } from './webhook-load.ts';

/**
 * `npm run bench:webhooks [seconds] [rounds] [backlog]`: a burst of 2,000 events from their publication to a local receiver;
 * 50 calls a second through the gateway, from call to receipt; ten endpoints with and without a dead one among
 * them; and, once that is measured, the first two beside a second installation with a backlog. What is compared is measured in turn.
 */
const seconds = Number(process.argv[2] ?? 20);
const rounds = Number(process.argv[3] ?? 3);
const backlog = Number(process.argv[4] ?? 1_000_000);
const BURST = { count: 2_000, callers: 16 };
const STEADY = { perSecond: 50, seconds };
/** Code that V8 has not compiled yet takes several times as long: the calls of each installation's first seconds do not count. */
const WARM_UP = { perSecond: 50, seconds: 15 };
/** Ten deliveries for each call. */
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

/** Measures each side once a round, and prints the ratio of their medians. */
async function inTurn<T>(
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
    report(`  ${name}, median of ${rounds}: ${ratio.toFixed(2)} of what it is without`);
  }
}

/** A workspace with a webhook, after calls and bursts enough that all of its way is compiled. */
async function warmWorkspace(installation: Installation, receiver: Receiver): Promise<NewWorkspace> {
  const workspace = await installation.createWorkspace();
  await installation.createWebhook(workspace, receiver.url);
  await burst(installation, workspace, receiver, BURST);
  await burst(installation, workspace, receiver, BURST);
  await paced(installation, workspace, receiver, WARM_UP);
  return workspace;
}

const installations: Installation[] = [];

async function install(): Promise<Installation> {
  const installation = await startInstallation();
  installations.push(installation);
  return installation;
}

const receivers: Receiver[] = [await startReceiver(), await startReceiver()];
const [receiver, others] = receivers as [Receiver, Receiver];
try {
  report(`${machine()}, load generator and receiver included`);
  const plain = await install();
  const one = await warmWorkspace(plain, receiver);
  await inTurn([[`burst of ${BURST.count}`, () => burst(plain, one, receiver, BURST)]], burstLine, {});
  await inTurn([[`${STEADY.perSecond}/s`, () => paced(plain, one, receiver, STEADY)]], latencyLine, {});

  const nine = async (): Promise<NewWorkspace> => {
    const workspace = await plain.createWorkspace();
    for (let n = 0; n < 9; n += 1) await plain.createWebhook(workspace, others.url);
    return workspace;
  };
  const [healthy, ailing] = [await nine(), await nine()];
  await plain.createWebhook(healthy, receiver.url);
  const dead = await plain.createWebhook(ailing, `http://127.0.0.1:${await freePort()}`);
  await paced(plain, healthy, others, SPREAD);
  await inTurn(
    [
      ['nine of ten live endpoints', () => paced(plain, healthy, others, SPREAD)],
      [
        'nine beside a dead one',
        async () => {
          await plain.setEnabled(ailing, dead, true);
          const latency = await paced(plain, ailing, others, SPREAD);
          // Its retries belong to this side alone.
          await plain.setEnabled(ailing, dead, false);
          return latency;
        },
      ],
    ],
    latencyLine,
    { p50: ({ p50Ms }) => p50Ms, p99: ({ p99Ms }) => p99Ms },
  );

  const loaded = await install();
  const beside = await warmWorkspace(loaded, receiver);
  await insertBacklog(loaded, backlog);
  await burst(loaded, beside, receiver, BURST);
  await inTurn(
    [
      ['burst', () => burst(plain, one, receiver, BURST)],
      [`burst with ${backlog} pending`, () => burst(loaded, beside, receiver, BURST)],
    ],
    burstLine,
    { 'deliveries/s': ({ perSecond }) => perSecond },
  );
  await inTurn(
    [
      [`${STEADY.perSecond}/s`, () => paced(plain, one, receiver, STEADY)],
      [`${STEADY.perSecond}/s with ${backlog} pending`, () => paced(loaded, beside, receiver, STEADY)],
    ],
    latencyLine,
    { p50: ({ p50Ms }) => p50Ms, p99: ({ p99Ms }) => p99Ms },
  );
} finally {
  for (const { process: child } of receivers) child.kill();
  await Promise.all(installations.map((installation) => installation.stop()));
}
