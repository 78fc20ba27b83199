import { loadavg } from 'node:os';
import { quantile } from '../support/quantile.ts';
import { machine } from '../support/table.ts';
import { burst, type Latency, paced, type Source, startReceiver } from './load.ts';
import { startSvix } from './svix.ts';
import { startWaymark } from './waymark.ts';

/**
 * `[SVIX_SERVER=path] npm run bench:webhooks [seconds] [rounds]`: measures a burst of 2,000 events from
 * publication to a local receiver, and 50 calls per second through the gateway from call to receipt. Both
 * alternate with Svix if its binary is given.
 *
 * To build Svix, run `cargo build --release --package svix-server` in the folder `server` of
 * svix/svix-webhooks at v1.100.0. It needs PostgreSQL (apt-get install postgresql).
 */
const seconds = Number(process.argv[2] ?? 20);
const rounds = Number(process.argv[3] ?? 3);
const BURST = { count: 2_000, callers: 16 };
const STEADY = { perSecond: 50, seconds };
/** Code that V8 has not compiled takes several times as long: the first seconds do not count. */
const WARM_UP = { perSecond: 50, seconds: 15 };

const receiver = await startReceiver();
const median = (values: number[]) => quantile(values, 0.5);
const latencyLine = ({ p50Ms, p99Ms, refused }: Latency) =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms${refused ? `; ${refused} calls refused` : ''}`;

type Sides = [name: string, source: Source][];

/** Measures each side once per round and prints the ratio of the medians of two. */
async function alternating<T>(
  sides: Sides,
  measure: (source: Source) => Promise<T>,
  line: (result: T) => string,
  figures: Record<string, (result: T) => number>,
): Promise<void> {
  const results = sides.map((): T[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, [name, source]] of sides.entries()) {
      const result = await measure(source);
      results[i]!.push(result);
      console.log(`${name}: ${line(result)} (load average ${loadavg()[0]!.toFixed(1)})`);
    }
  }
  const [first, second] = results;
  if (!first || !second) return;
  for (const [name, figure] of Object.entries(figures)) {
    const ratio = median(second.map(figure)) / median(first.map(figure));
    console.log(`  ${name}, median of ${rounds}: ${ratio.toFixed(2)} of that of ${sides[0]![0]}`);
  }
}

const sides: Sides = [];
const svix = process.env['SVIX_SERVER'];
try {
  console.log(`${machine()}, load generator and receiver included`);
  if (svix) sides.push(['Svix', await startSvix(svix, receiver.url)]);
  sides.push(['Waymark', await startWaymark(receiver.url)]);
  for (const [, source] of sides) {
    // Enough calls and bursts to compile the whole path.
    await burst(source, receiver, BURST);
    await burst(source, receiver, BURST);
    await paced(source, receiver, WARM_UP);
  }
  console.log(`\nburst of ${BURST.count}`);
  await alternating(
    sides,
    (source) => burst(source, receiver, BURST),
    (perSecond) => `${perSecond.toFixed(0)} deliveries/s`,
    { 'deliveries/s': (perSecond) => perSecond },
  );
  console.log(`\n${STEADY.perSecond} calls/s`);
  await alternating(sides, (source) => paced(source, receiver, STEADY), latencyLine, {
    p50: ({ p50Ms }) => p50Ms,
    p99: ({ p99Ms }) => p99Ms,
  });
} finally {
  receiver.process.kill();
  for (const [, source] of sides) await source.stop();
}
