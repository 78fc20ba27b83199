import { type ProcessName, serviceNames } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

/** NATS is a static binary, which libfaketime does not reach: the clocks of its peers move instead. */
const withClock: readonly ProcessName[] = [...serviceNames, 'mongo', 'redis'];
const STEPS_SECONDS = [-3_600, -90, 90, 3_600];

const clockFault = (whose: string, names: readonly ProcessName[]) =>
  STEPS_SECONDS.map(
    (seconds): Fault => ({
      name: `clock of ${whose} ${seconds > 0 ? '+' : ''}${seconds} s`,
      targets: names.map((name) => `clock of ${name}`),
      needs: 'clocks',
      async begin({ clocks }) {
        for (const name of names) await clocks?.set(name, seconds);
      },
      async end({ clocks }) {
        for (const name of names) await clocks?.set(name, 0);
      },
    }),
  );

export const serviceClocks = serviceNames.flatMap((name) => clockFault(name, [name]));

/** Services follow MongoDB's clock, and Redis counts limits by its own. */
export const storeClocks = [
  ...clockFault('mongo', ['mongo']),
  ...clockFault('redis', ['redis']),
  ...clockFault('everything', withClock),
];
