import { join } from 'node:path';
import { timesOf } from '../support/callers.ts';
import type { Call } from '../support/decision-calls.ts';
import { idleMs, printCost, type Spent, spentByTurns, spentOn } from './call-cost.ts';
import { type Installation, openInstallation } from './growth-installation.ts';
import type { Size } from './seed-scale.ts';

/** Calls per second, well below the capacity of two cores for any operation. */
const CALLS_PER_SECOND = 30;
const WARM_UP = { callers: 4, seconds: 0.7 };
/** Time for the effects of a call in other services to end. */
const SETTLE_MS = 300;

export interface GrowthOptions {
  /** By name, which is also the name of the folder. */
  sizes: Record<string, Size>;
  directory: string;
  /** Rounds per operation. */
  seconds: number;
}

interface Measured {
  what: string;
  installation: Installation;
  calls: Record<string, Call>;
  idle: number;
}

/** Measures the main operations in installations of several sizes, in alternating rounds. */
export async function measureGrowth({ sizes, directory, seconds }: GrowthOptions): Promise<void> {
  const open: Installation[] = [];
  try {
    const measured: Measured[] = [];
    for (const [name, size] of Object.entries(sizes)) {
      const installation = await openInstallation(join(directory, name));
      open.push(installation);
      await installation.fill(size);
      const calls = await installation.calls();
      await installation.untilIndexed();
      const idle = await idleMs(installation.services, installation.mongo);
      measured.push({ what: await installation.describe(), installation, calls, idle });
    }
    for (const operation of Object.keys(measured[0]?.calls ?? {})) {
      const spent = await spentByTurns(measured, seconds, ({ installation, calls }, turn) =>
        spanOf(installation, calls[operation]!, turn),
      );
      for (const [{ what, idle }, sum] of spent) printCost(operation, what, sum, idle);
    }
  } finally {
    for (const installation of open) await installation.stop();
  }
}

async function spanOf(
  { services, mongo }: Installation,
  call: Call,
  { round, seconds }: { round: number; seconds: number },
): Promise<Spent> {
  if (round === 0) await timesOf(WARM_UP.callers, WARM_UP.seconds, call);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return spentOn(services, mongo, { call, callsPerSecond: CALLS_PER_SECOND, seconds });
}
