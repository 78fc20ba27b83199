import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually, httpCall } from '@waymark/testing';
import { quantile } from '../support/quantile.ts';
import type { Source } from './source.ts';

const ARRIVED_WITHIN_MS = 120_000;
const nowMs = () => performance.timeOrigin + performance.now();

export interface Receiver {
  url: string;
  process: ChildProcess;
  /** Returns the records received since the last call, with their time. */
  arrivals(): Promise<[id: string, atMs: number][]>;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(findRepositoryRoot(), 'bench/webhooks/receiver.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${line.toString().trim()}`;
  return {
    url,
    process: child,
    arrivals: async () => JSON.parse((await httpCall(url, 'GET', '/figures')).text),
  };
}

async function collect(receiver: Receiver, count: number): Promise<[id: string, atMs: number][]> {
  const arrived: [string, number][] = [];
  await eventually(async () => {
    arrived.push(...(await receiver.arrivals()));
    return arrived.length >= count;
  }, ARRIVED_WITHIN_MS);
  return arrived;
}

export interface Burst {
  perSecond: number;
  /** Processor milliseconds per delivery, by process. */
  cpuMs: Record<string, number>;
}

/** Publishes `count` events at once and measures the time from the first publication to the last receipt. */
export async function burst(
  source: Source,
  receiver: Receiver,
  { count, callers }: { count: number; callers: number },
): Promise<Burst> {
  const agent = new http.Agent({ keepAlive: true });
  await receiver.arrivals();
  const before = await source.cpuTimes();
  const startedAtMs = nowMs();
  let left = count;
  const publish = async () => {
    while (left-- > 0) await source.publish(agent);
  };
  await Promise.all(Array.from({ length: callers }, publish));
  agent.destroy();
  const arrived = await collect(receiver, count);
  const after = await source.cpuTimes();
  const last = Math.max(...arrived.map(([, atMs]) => atMs));
  const cpuMs = Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - before[name]!) / count]),
  );
  return { perSecond: (count * 1000) / (last - startedAtMs), cpuMs };
}

export interface Latency {
  p50Ms: number;
  p99Ms: number;
  /** Refused calls: the machine is too busy for this rate. */
  refused: number;
  /** Medians of the call and of the time from the call to the receipt. */
  partsMs: Record<string, number>;
}

/**
 * Measures from the start of an API call to the receipt, at a constant rate. Each event is received
 * `copies` times.
 */
export async function paced(
  source: Source,
  receiver: Receiver,
  { perSecond, seconds, copies = 1 }: { perSecond: number; seconds: number; copies?: number },
): Promise<Latency> {
  const agent = new http.Agent({ keepAlive: true });
  const calledAtMs = new Map<string, number>();
  const answered: number[] = [];
  let refused = 0;
  const call = async () => {
    const startedAtMs = nowMs();
    const id = await source.call(agent);
    if (id === null) {
      refused += 1;
      return;
    }
    answered.push(nowMs() - startedAtMs);
    calledAtMs.set(id, startedAtMs);
  };
  await receiver.arrivals();
  const beganAtMs = nowMs();
  const calls: Promise<void>[] = [];
  const count = seconds * perSecond;
  for (let n = 0; n < count; n += 1) {
    const waitMs = beganAtMs + (n * 1000) / perSecond - nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    calls.push(call());
  }
  await Promise.all(calls);
  agent.destroy();
  // The first second warms up connections and compiled code.
  const arrived = (await collect(receiver, (count - refused) * copies)).filter(
    ([id]) => calledAtMs.get(id)! > beganAtMs + 1_000,
  );
  const times = arrived.map(([id, atMs]) => atMs - calledAtMs.get(id)!);
  const parts = { call: answered, ...(await source.partsOf?.(calledAtMs, new Map(arrived))) };
  return {
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    refused,
    partsMs: Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, quantile(values, 0.5)])),
  };
}
