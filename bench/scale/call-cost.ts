import type { MongoClient } from 'mongodb';
import type { ServiceProcess } from '../../dev/services.ts';
import { figuresOf, timesAt } from '../support/callers.ts';
import { cpuMs } from '../support/cpu-ms.ts';
import type { Call } from '../support/decision-calls.ts';
import { printHead, printRow } from '../support/table.ts';

/** Seconds to measure without calls: idle processor time is reported separately. */
const IDLE_SECONDS = 3;
const ROUNDS = 2;

/** Latencies of calls, in ms. */
export interface Spent {
  seconds: number;
  times: readonly number[];
  serviceMs: number;
  mongoMs: number;
}

/** Measures the processor time of services and MongoDB while `work` runs. */
export async function spentBy<T>(
  processes: readonly ServiceProcess[],
  mongo: MongoClient,
  work: () => Promise<T>,
): Promise<{ result: T; serviceMs: number; mongoMs: number }> {
  const before = await cpuMs(processes, mongo);
  const result = await work();
  const after = await cpuMs(processes, mongo);
  const services = Object.keys(after).filter((name) => name !== 'MongoDB');
  const spent = (name: string) => after[name]! - before[name]!;
  return {
    result,
    serviceMs: services.reduce((sum, name) => sum + spent(name), 0),
    mongoMs: spent('MongoDB'),
  };
}

/** Calls at a constant rate for `seconds` and returns the latencies. */
export async function spentOn(
  processes: readonly ServiceProcess[],
  mongo: MongoClient,
  { call, callsPerSecond, seconds }: { call: Call; callsPerSecond: number; seconds: number },
): Promise<Spent> {
  const run = () => timesAt(callsPerSecond, seconds, call);
  const { result, ...spent } = await spentBy(processes, mongo, run);
  return { seconds, times: result, ...spent };
}

/** Returns the processor time per idle second, in ms. */
export async function idleMs(processes: readonly ServiceProcess[], mongo: MongoClient): Promise<number> {
  const wait = () => new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
  return (await spentBy(processes, mongo, wait)).serviceMs / IDLE_SECONDS;
}

/** Combines two measurements of the same row. */
const addedUp = (one: Spent, other: Spent): Spent => ({
  seconds: one.seconds + other.seconds,
  times: [...one.times, ...other.times],
  serviceMs: one.serviceMs + other.serviceMs,
  mongoMs: one.mongoMs + other.mongoMs,
});

/** Measures each row for `seconds` in alternating rounds; every second round has the opposite order. */
export async function spentByTurns<T>(
  sides: readonly T[],
  seconds: number,
  spend: (side: T, turn: { round: number; seconds: number }) => Promise<Spent>,
): Promise<Map<T, Spent>> {
  const spent = new Map<T, Spent>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const span = await spend(side, { round, seconds: seconds / ROUNDS });
      const before = spent.get(side);
      spent.set(side, before ? addedUp(before, span) : span);
    }
  }
  return spent;
}

export function printCostHead(): void {
  const cpu = ['CPU ms of the service', 'of that idle', 'CPU ms of MongoDB'];
  printHead(['operation', 'with', 'calls/s', 'p50 ms', 'p99 ms', ...cpu], 2);
}

/** Formats the row of a measurement; `idleMsPerSecond` is the result of idleMs. */
export function printCost(operation: string, what: string, spent: Spent, idleMsPerSecond: number): void {
  const { perSecond, p50Ms, p99Ms } = figuresOf(spent.times, spent.seconds);
  const idle = idleMsPerSecond * spent.seconds;
  const cpu = [spent.serviceMs, idle, spent.mongoMs].map((ms) => (ms / spent.times.length).toFixed(2));
  printRow([operation, what, perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), ...cpu]);
}
