import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually, httpCall } from '@waymark/testing';
import { makeCalls, timesAt } from '../support/callers.ts';
import { quantile } from '../support/quantile.ts';

const ARRIVED_WITHIN_MS = 120_000;
const nowMs = () => performance.timeOrigin + performance.now();

/** A source of deliveries to the receiver. The agents are connection pools that a run opens and closes. */
export interface Source {
  /** The cheapest way to cause one delivery; a burst consists of these. */
  publish(agent: http.Agent): Promise<void>;
  /** Makes one call that causes a delivery. Returns the record's id in the payload; null if it is refused. */
  call(agent: http.Agent): Promise<string | null>;
  stop(): Promise<void>;
}

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

/** Publishes `count` events at once. Returns the deliveries per second from the first publication on. */
export async function burst(
  source: Source,
  receiver: Receiver,
  { count, callers }: { count: number; callers: number },
): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  await receiver.arrivals();
  const startedAtMs = nowMs();
  await makeCalls(count, callers, () => source.publish(agent));
  agent.destroy();
  const arrived = await collect(receiver, count);
  const last = Math.max(...arrived.map(([, atMs]) => atMs));
  return (count * 1000) / (last - startedAtMs);
}

export interface Latency {
  p50Ms: number;
  p99Ms: number;
  /** Refused calls: the machine is too busy for this rate. */
  refused: number;
}

/** Measures from the start of an API call to the receipt, at a constant rate. */
export async function paced(
  source: Source,
  receiver: Receiver,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Latency> {
  const agent = new http.Agent({ keepAlive: true });
  const calledAtMs = new Map<string, number>();
  let refused = 0;
  const call = async () => {
    const startedAtMs = nowMs();
    const id = await source.call(agent);
    if (id === null) refused += 1;
    else calledAtMs.set(id, startedAtMs);
  };
  await receiver.arrivals();
  const beganAtMs = nowMs();
  const calls = await timesAt(perSecond, seconds, call);
  agent.destroy();
  // The first second warms up connections and compiled code.
  const arrived = (await collect(receiver, calls.length - refused)).filter(
    ([id]) => calledAtMs.get(id)! > beganAtMs + 1_000,
  );
  const times = arrived.map(([id, atMs]) => atMs - calledAtMs.get(id)!);
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), refused };
}
