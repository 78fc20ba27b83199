import { type FaultyProduct, type ProcessName, serviceNames } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

/** NATS is a static binary, which libfaketime does not reach: the clocks of its peers move instead. */
const withClock: readonly ProcessName[] = [...serviceNames, 'mongo', 'redis'];
const STEPS_SECONDS = [-3_600, -90, 90, 3_600];

/**
 * Moves clocks. MongoDB's storage engine waits by the time of day: a mongod whose clock is set back can hang
 * until the clock has caught up, so it is restarted, as docs/operating/clocks.md says.
 */
async function move(
  { clocks, stores }: FaultyProduct,
  names: readonly ProcessName[],
  from: number,
  to: number,
) {
  for (const name of names) await clocks?.set(name, to);
  if (names.includes('mongo') && to < from) await stores.mongo.kill('SIGKILL');
}

const clockFault = (whose: string, names: readonly ProcessName[]) =>
  STEPS_SECONDS.map(
    (seconds): Fault => ({
      name: `clock of ${whose} ${seconds > 0 ? '+' : ''}${seconds} s`,
      targets: names.map((name) => `clock of ${name}`),
      needs: 'clocks',
      begin: (product) => move(product, names, 0, seconds),
      end: (product) => move(product, names, seconds, 0),
    }),
  );

export const serviceClocks = serviceNames.flatMap((name) => clockFault(name, [name]));

/** Services follow MongoDB's clock, and Redis counts limits by its own. */
export const storeClocks = [
  ...clockFault('mongo', ['mongo']),
  ...clockFault('redis', ['redis']),
  ...clockFault('everything', withClock),
];
