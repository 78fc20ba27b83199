import { seeded } from '../../crash/support/seeded.ts';
import { serviceClocks, storeClocks } from './faults/clock-faults.ts';
import { fullDisk, powerCut } from './faults/disk-faults.ts';
import type { Fault } from './faults/fault.ts';
import { malformedEvents } from './faults/malformed-events.ts';
import { networkFaults } from './faults/network-faults.ts';
import { kills, pauses, smallHeaps } from './faults/process-faults.ts';
import { auditRestore, natsRestore } from './faults/restores.ts';

export interface ScheduledFault {
  fault: Fault;
  afterMs: number;
  forMs: number;
}
/** The faults of a round overlap; a round begins when those of the round before have ended. */
export type Schedule = ScheduledFault[][];

/** Each kind is drawn equally often. */
const kinds: readonly (readonly Fault[])[] = [
  kills,
  pauses,
  smallHeaps,
  networkFaults,
  serviceClocks,
  storeClocks,
  [powerCut],
  [fullDisk],
  [malformedEvents],
  [auditRestore, natsRestore],
];
const ROUNDS = 2;
const AT_ONCE_MAX = 3;
const AFTER_MS_MAX = 500;
const FOR_MS = [500, 3_000] as const;

/** Draws the faults of a seed, with their times. */
export function drawSchedule(seed: number): Schedule {
  const random = seeded(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least));
  const oneOf = <T>(things: readonly T[]) => things[between(0, things.length)]!;
  return Array.from({ length: ROUNDS }, () => {
    const round: ScheduledFault[] = [];
    const count = between(1, AT_ONCE_MAX + 1);
    while (round.length < count) {
      const fault = oneOf(oneOf(kinds));
      const taken = new Set(round.flatMap((scheduled) => scheduled.fault.targets));
      if (fault.targets.some((target) => taken.has(target))) continue;
      round.push({ fault, afterMs: between(0, AFTER_MS_MAX), forMs: between(...FOR_MS) });
    }
    return round;
  });
}

export const describeSchedule = (schedule: Schedule) =>
  schedule
    .map((round) => round.map(({ fault, forMs }) => `${fault.name} (${forMs} ms)`).join(' + '))
    .join(', then ');
