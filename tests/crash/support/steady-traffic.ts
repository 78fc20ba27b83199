import http from 'node:http';
import { BASE_PATH } from '@waymark/contracts';
import { type Answer, type CallInput, httpCall } from '@waymark/testing';
import type { ServiceProcess } from '../../../dev/services.ts';
import type { ProductProcesses } from './product-processes.ts';

/** A request that must always succeed. `turn` numbers all requests. */
type Send = (
  call: (method: string, path: string, input?: CallInput) => Promise<Answer>,
  turn: number,
) => Promise<Answer>;

export interface SteadyTraffic {
  /** Failed requests, in order. */
  failures: string[];
  /** Successful requests of each kind. */
  answered: ReadonlyMap<string, number>;
  /** Resolves when `count` more requests have been sent. */
  afterMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

const PROBE_MS = 200;
/**
 * Processes whose code is not yet compiled are several times slower; two cores cannot sustain the rate then.
 */
const WARM_UP = { requests: 1_000, callers: 8 };

/** For each kind of request, its share in a round and how to send it. */
export type Kinds = Readonly<Record<string, readonly [share: number, send: Send]>>;

/**
 * Sends requests of each kind to the ready gateways in turn, like a load balancer. After a warm-up, requests
 * start at a steady rate that does not depend on the answers; the requests of one second is the most that may
 * be in flight.
 */
export async function startTraffic(
  product: ProductProcesses,
  perSecond: number,
  kinds: Kinds,
): Promise<SteadyTraffic> {
  const agent = new http.Agent({ keepAlive: true });
  const gateways = product.services.processes.filter(({ service }) => service === 'gateway');
  const sends = roundOf(kinds);
  const failures: string[] = [];
  const answered = new Map<string, number>();
  const inFlight = new Set<Promise<unknown>>();
  let ready = gateways;
  let sent = 0;

  async function send(turn: number): Promise<void> {
    const [name, sendOne] = sends[turn % sends.length]!;
    const base = ready[turn % ready.length]!.url + BASE_PATH;
    try {
      const answer = await sendOne((method, path, input) => {
        const headers = { authorization: `Bearer ${product.key}` };
        return httpCall(base, method, path, { agent, headers, ...input });
      }, turn);
      if (answer.status >= 300) failures.push(`${name}: ${answer.status} ${answer.text}`);
      else answered.set(name, (answered.get(name) ?? 0) + 1);
    } catch (error) {
      failures.push(`${name}: ${error}`);
    }
  }
  function begin(): Promise<void> {
    sent += 1;
    return send(sent);
  }
  async function warmUp(): Promise<void> {
    while (sent < WARM_UP.requests) await begin();
  }
  await Promise.all(Array.from({ length: WARM_UP.callers }, warmUp));
  const begunAt = performance.now();
  const secondsSince = () => (performance.now() - begunAt) / 1_000;
  const timer = setInterval(() => {
    // Timers can be late, so derive the number of requests from the elapsed time.
    while (sent < WARM_UP.requests + secondsSince() * perSecond && inFlight.size < perSecond) {
      const work = begin().finally(() => inFlight.delete(work));
      inFlight.add(work);
    }
  }, 1_000 / perSecond);
  const probe = setInterval(async () => {
    const states = await Promise.all(gateways.map(isReady));
    const up = gateways.filter((_, i) => states[i]);
    if (up.length > 0) ready = up;
  }, PROBE_MS);

  return {
    failures,
    answered,
    async afterMore(count) {
      const at = sent + count;
      while (sent < at) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async stop() {
      clearInterval(timer);
      clearInterval(probe);
      const [begun, seconds] = [sent - WARM_UP.requests, secondsSince()];
      console.log(
        `${begun} requests begun in ${seconds.toFixed(1)} s: ${(begun / seconds).toFixed(1)}/s of ${perSecond}/s`,
      );
      await Promise.allSettled([...inFlight]);
      agent.destroy();
    },
  };
}

/** Spreads the kinds over a round, so that requests of a frequent kind are not adjacent. */
function roundOf(kinds: Kinds): [name: string, send: Send][] {
  const places = Object.entries(kinds).flatMap(([name, [share, send]]) =>
    Array.from({ length: share }, (_, i) => ({ at: (i + 0.5) / share, name, send })),
  );
  return places.sort((a, b) => a.at - b.at).map(({ name, send }) => [name, send]);
}

async function isReady({ adminUrl }: ServiceProcess): Promise<boolean> {
  const answer = await httpCall(adminUrl, 'GET', '/readyz').catch(() => null);
  return answer?.status === 200;
}
