import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, it } from '@jest/globals';
import { startFaultyProduct } from './support/faulty-product.ts';
import { checkModel, type Model, startModel } from './support/model.ts';
import { describeSchedule, drawSchedule, type Schedule, type ScheduledFault } from './support/schedule.ts';

/** Together they have every kind of fault. */
const TWELVE = '4,16,17,22,23,35,43,45,46,51,54,60';
/** `FAULT_SEEDS=17 npm run test:faults` repeats one seed; `FAULT_SEEDS=1-200` runs many. */
const SEEDS = seedsIn(process.env['FAULT_SEEDS'] ?? TWELVE);
/** Acknowledged writes of each workspace between the rounds. */
const BETWEEN_ROUNDS = 10;

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Reads numbers and ranges, such as "3,17,20-25". */
function seedsIn(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

const product = await startFaultyProduct();
for (const [need, why] of product.lacking) say(`Faults that need ${need} are not tried here: ${why}`);
afterAll(() => product.stop());

async function cause({ fault, afterMs, forMs }: ScheduledFault): Promise<void> {
  if (fault.needs && product.lacking.has(fault.needs)) return say(`  not tried: ${fault.name}`);
  await delay(afterMs);
  try {
    await fault.begin(product);
    await delay(forMs);
  } finally {
    await fault.end(product);
  }
}

async function run(schedule: Schedule, models: Model[]): Promise<void> {
  const writeMore = () => Promise.all(models.map(({ writers }) => writers.afterMore(BETWEEN_ROUNDS)));
  await writeMore();
  for (const round of schedule) {
    await Promise.all(round.map(cause));
    await writeMore();
  }
}

describe('under faults, acknowledged writes are complete everywhere, and nowhere else', () => {
  it.each(SEEDS)('seed %i', async (seed) => {
    const schedule = drawSchedule(seed);
    const startedAt = performance.now();
    const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    say(`seed ${seed}: ${describeSchedule(schedule)}`);
    product.receiver.requests.length = 0;
    const models = await Promise.all(['left', 'right'].map((name) => startModel(product, `${name}-${seed}`)));
    await run(schedule, models).finally(() => Promise.all(models.map(({ writers }) => writers.stop())));
    say(`  faults ended after ${seconds()}`);
    await Promise.all(models.map((model) => checkModel(product, model)));
    say(`  complete after ${seconds()}`);
  });
});
