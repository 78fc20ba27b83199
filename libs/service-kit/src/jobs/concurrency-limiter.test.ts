import { describe, expect, it } from '@jest/globals';
import { concurrencyLimiter } from './concurrency-limiter.ts';
import { fairShare, inProportion, upTo } from './fair-share.ts';

interface Endpoint {
  tenant: string;
  active: number;
  waiting: number;
}

/** Starts endpoints that begin as many tasks as the limiter allows; each task runs until `end`. */
function start(policy: ReturnType<typeof upTo>, total: number, perTenant?: number) {
  const begun: Endpoint[] = [];
  const limiter = concurrencyLimiter<Endpoint>({
    share: fairShare({ total, policy, tenantsOf: ({ tenant }) => [tenant], ...(perTenant && { perTenant }) }),
    tenantOf: ({ tenant }) => tenant,
    begin,
  });

  function begin(endpoint: Endpoint): void {
    while (endpoint.waiting > 0) {
      if (!limiter.isFree(endpoint)) {
        limiter.queue(endpoint);
        return;
      }
      limiter.take(endpoint);
      endpoint.active += 1;
      endpoint.waiting -= 1;
      begun.push(endpoint);
    }
  }

  return {
    begun,
    leave: limiter.leave,
    send(tenant: string, waiting: number): Endpoint {
      const endpoint = { tenant, active: 0, waiting };
      begin(endpoint);
      return endpoint;
    },
    end(endpoint: Endpoint): void {
      endpoint.active -= 1;
      limiter.give(endpoint);
    },
  };
}

const sum = (endpoints: Endpoint[]) => endpoints.reduce((total, { active }) => total + active, 0);

describe('concurrencyLimiter', () => {
  it('never allows more than the total, nor more than a tenant may have', () => {
    const { send } = start(inProportion(0.5), 100, 20);
    const one = Array.from({ length: 50 }, () => send('one', 1_000));
    expect(sum(one)).toBe(20);
    const others = Array.from({ length: 200 }, (_, n) => send(`other ${n}`, 1_000));
    expect(sum([...one, ...others])).toBe(100);
  });

  it('leaves capacity for another tenant and another member while tasks hang', () => {
    const { send } = start(inProportion(0.5), 100, 20);
    for (const tenant of ['one', 'two', 'three']) send(tenant, 1_000);
    expect(send('three', 1).active).toBe(1);
    expect(send('four', 1).active).toBe(1);
  });

  it('converges to equal shares as tasks end, and keeps spare capacity', () => {
    const { send, end } = start(inProportion(0.5), 100, 50);
    const endpoints = Array.from({ length: 8 }, (_, n) => send(`tenant ${n}`, 1_000));
    for (let round = 0; round < 20; round += 1) for (const endpoint of endpoints) end(endpoint);
    const shares = endpoints.map(({ active }) => active);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    expect(sum(endpoints)).toBeLessThan(90);
  });

  it('serves tenants in turn, and members of a tenant in order of arrival', () => {
    const { begun, send, end } = start(upTo(1), 1);
    const running = send('one', 1);
    const [a, b, c] = [send('one', 1), send('one', 1), send('two', 1)];
    expect(begun).toEqual([running]);
    for (let n = 0; n < 4; n += 1) end(begun[n]!);
    expect(begun.map((endpoint) => [running, a, c, b].indexOf(endpoint))).toEqual([0, 1, 2, 3]);
  });

  it('skips a tenant that has its share, and a member that has left', () => {
    const { begun, send, end, leave } = start(upTo(2), 3);
    const large = [1, 2, 3].map(() => send('large', 1));
    const small = send('small', 1);
    expect(begun).toEqual([large[0], large[1], small]);
    const [gone, next] = [send('another', 1), send('another', 1)];
    leave(gone);
    end(small);
    expect(begun.slice(3)).toEqual([next]);
    end(large[0]!);
    expect(begun.slice(4)).toEqual([large[2]]);
  });
});
