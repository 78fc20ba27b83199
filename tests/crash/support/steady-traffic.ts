import http from 'node:http';
import { BASE_PATH } from '@waymark/contracts';
import { type Answer, type CallInput, httpCall } from '@waymark/testing';
import type { ServiceProcess } from '../../../dev/services.ts';
import type { ProductProcesses } from './product-processes.ts';

/** A request that is to succeed whenever it comes; `turn` counts all of them. */
type Send = (
  call: (method: string, path: string, input?: CallInput) => Promise<Answer>,
  turn: number,
) => Promise<Answer>;

export interface SteadyTraffic {
  /** What was not answered with success, as it comes. */
  failures: string[];
  /** Requests of each kind that were answered. */
  answered: ReadonlyMap<string, number>;
  /** Resolves when so many more have been sent. */
  afterMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

const PROBE_MS = 200;
/**
 * Processes that have all compiled nothing yet take several times as long, more than two cores have at this
 * rate.
 */
const WARM_UP = { requests: 1_000, callers: 8 };

/** How often a kind comes in each round of all, and how it is sent. */
export type Kinds = Readonly<Record<string, readonly [share: number, send: Send]>>;

/**
 * Requests of each kind in turn, over the gateways that are ready, as a load balancer spreads them. After a
 * warm-up they are begun at a steady rate whatever the answers take, unless those of a whole second are on
 * their way.
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
    // A timer comes late: what counts is the time, not how often it came.
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

/** The kinds spread over a round: those that come often stand apart from each other. */
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
