import { type ProcessName, serviceNames } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

/** NATS is a static binary, which libfaketime does not reach: the clocks of its peers move instead. */
const withClock: readonly ProcessName[] = [...serviceNames, 'mongo', 'redis'];
const STEPS_SECONDS = [-3_600, -90, 90, 3_600];

export const clockFaults = withClock.flatMap((name) =>
  STEPS_SECONDS.map(
    (seconds): Fault => ({
      name: `clock of ${name} ${seconds > 0 ? '+' : ''}${seconds} s`,
      targets: [`clock of ${name}`],
      needs: 'clocks',
      begin: ({ clocks }) => clocks?.set(name, seconds),
      end: ({ clocks }) => clocks?.set(name, 0),
    }),
  ),
);
