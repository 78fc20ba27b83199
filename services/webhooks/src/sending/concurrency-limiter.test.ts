import { describe, expect, it } from '@jest/globals';
import { createPlaces } from './concurrency-limiter.ts';

interface Endpoint {
  workspaceId: string;
  active: number;
  waiting: number;
}

/** Endpoints that send as many attempts as they may, each of which takes until it is ended. */
function start(limits: { total: number; perWorkspace: number }) {
  const places = createPlaces<Endpoint>(limits, proceed);
  const begun: Endpoint[] = [];

  function proceed(endpoint: Endpoint): void {
    while (endpoint.waiting > 0) {
      if (!places.isFree(endpoint)) {
        places.queue(endpoint);
        return;
      }
      places.take(endpoint);
      endpoint.active += 1;
      endpoint.waiting -= 1;
      begun.push(endpoint);
    }
  }

  return {
    begun,
    send(workspaceId: string, waiting: number): Endpoint {
      const endpoint = { workspaceId, active: 0, waiting };
      proceed(endpoint);
      return endpoint;
    },
    end(endpoint: Endpoint): void {
      endpoint.active -= 1;
      places.give(endpoint);
      proceed(endpoint);
    },
  };
}

const sum = (endpoints: Endpoint[]) => endpoints.reduce((total, { active }) => total + active, 0);

describe('places', () => {
  it('are never more than the process may have, nor than a workspace may', () => {
    const { send } = start({ total: 100, perWorkspace: 20 });
    const one = Array.from({ length: 50 }, () => send('one', 1_000));
    expect(sum(one)).toBe(20);
    const others = Array.from({ length: 200 }, (_, n) => send(`other ${n}`, 1_000));
    expect(sum([...one, ...others])).toBe(100);
  });

  it('are left for another workspace, and for another endpoint, while attempts hang', () => {
    const { send } = start({ total: 100, perWorkspace: 20 });
    for (const name of ['one', 'two', 'three']) send(name, 1_000);
    expect(send('three', 1).active).toBe(1);
    expect(send('four', 1).active).toBe(1);
  });

  it('come to equal shares once attempts have ended, with some to spare', () => {
    const { send, end } = start({ total: 100, perWorkspace: 50 });
    const endpoints = Array.from({ length: 8 }, (_, n) => send(`workspace ${n}`, 1_000));
    for (let round = 0; round < 20; round += 1) for (const endpoint of endpoints) end(endpoint);
    const shares = endpoints.map(({ active }) => active);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    expect(sum(endpoints)).toBeLessThan(90);
  });

  it('go round among those in line, when there is one for all', () => {
    const { begun, send, end } = start({ total: 1, perWorkspace: 1 });
    const [a, b] = [send('one', 3), send('one', 3)];
    const c = send('two', 3);
    for (let n = 0; n < 9; n += 1) end(begun[n]!);
    const turns = begun.map((endpoint) => [a, b, c].indexOf(endpoint));
    expect(turns).toHaveLength(9);
    for (const endpoint of [0, 1, 2]) expect(turns.slice(0, 5)).toContain(endpoint);
  });
});
