import { headers } from '@waymark/contracts';
import { startBench } from '../support/bench.ts';
import { makeCalls } from '../support/callers.ts';
import { newDecision as body } from '../support/new-decision.ts';
import { quantile } from '../support/quantile.ts';
import { machine } from '../support/table.ts';

/**
 * `npm run bench:batch [rounds]`: compares a batch of 100 creations through the gateway with 100 single ones,
 * one after the other and 16 at a time, in alternating rounds.
 */
const ROUNDS = Number(process.argv[2] ?? 10);
const CREATIONS = 100;
const AT_ONCE = 16;
const WARM_ROUNDS = 3;

// Without consumers of the events, which would compete for the two cores.
const bench = await startBench({ only: ['accounts', 'decisions', 'transfer'] });
const { call } = await bench.workspace();

const single = (callers: number) => makeCalls(CREATIONS, callers, () => call('POST', '/decisions', { body }));

function batch(): Promise<void> {
  const operations = Array.from({ length: CREATIONS }, () => ({ operation: 'createDecision', body }));
  const size = { [headers.batchSize]: String(CREATIONS) };
  return call('POST', '/batch', { body: { operations }, headers: size });
}

const ways = {
  'one after the other': () => single(1),
  [`${AT_ONCE} at a time`]: () => single(AT_ONCE),
  'one batch': batch,
};
try {
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(ways)) {
      const startedAtMs = performance.now();
      await run();
      if (round >= WARM_ROUNDS) times.get(name)!.push(performance.now() - startedAtMs);
    }
  }
  console.log(machine());
  const medianOf = (name: string) => quantile(times.get(name)!, 0.5);
  for (const [name, all] of times) {
    const ratio = medianOf(name) / medianOf('one batch');
    console.log(
      `${CREATIONS} creations, ${name}: median ${medianOf(name).toFixed(0)} ms of ${all.length} rounds, ${ratio.toFixed(1)} times a batch`,
    );
  }
} finally {
  await bench.stop();
}
