import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAdmission, type Tenants } from './admission.ts';

const TOTAL = 100;
const RESERVE = 25;
const SMALL = 2;

const places = (more: object = {}) =>
  createAdmission({
    what: 'places',
    total: TOTAL,
    small: SMALL,
    onRefused: () => undefined,
    onHeld: () => undefined,
    ...more,
  });
const of = (user: number, workspace = user, network = user): Tenants => [
  `user ${user}`,
  `workspace ${workspace}`,
  `network ${network}`,
];

/** Takes as much as one caller gets, and returns the amount. */
function fill(admission: ReturnType<typeof places>, tenants: Tenants): number {
  let taken = 0;
  while (admission.allowance(tenants) > 0) {
    admission.enter(tenants);
    taken += 1;
  }
  return taken;
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('an admission', () => {
  it('gives one holder three eighths, and later ones less', () => {
    const admission = places();
    const shares = Array.from({ length: 6 }, (_, user) => fill(admission, of(user)));
    expect(shares).toEqual([38, 19, 9, 5, 2, 2]);
    expect(codeOf(() => admission.enter(of(0)))).toBe('RATE_LIMITED');
  });

  it.each([
    ['a network with many users', (n: number) => of(n, n, 0)],
    ['a user with many workspaces', (n: number) => of(0, n, n)],
    ['a workspace with many users', (n: number) => of(n, 0, n)],
  ])('leaves half, and half of that to the next, beside %s', (_, attacker) => {
    const admission = places();
    for (let n = 0; n < TOTAL; n += 1) fill(admission, attacker(n));
    expect(admission.left()).toBeGreaterThanOrEqual(TOTAL / 2);
    for (let n = 0; n < TOTAL; n += 1) fill(admission, of(1_000 + n, 1_000 + n, 1_000));
    expect(admission.left()).toBeGreaterThanOrEqual(TOTAL / 4);
    expect(fill(admission, of(2_000))).toBeGreaterThanOrEqual(SMALL);
  });

  it('never gives more than the total, and gets everything back', () => {
    const step = fc.record({ user: fc.nat(4), network: fc.nat(2), amount: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const admission = places();
        const back: (() => void)[] = [];
        for (const { user, network, amount } of steps) {
          const before = admission.left();
          const refused = codeOf(() => back.push(admission.enter(of(user, user, network), amount)));
          expect(refused === null).toBe(admission.left() === before - amount);
          expect(admission.left()).toBeGreaterThanOrEqual(0);
          if (amount % 3 === 0) back.pop()?.();
        }
        for (const give of [...back, ...back]) give();
        expect(admission.left()).toBe(TOTAL);
        expect(admission.heldBy('network 0')).toBe(0);
      }),
    );
  });

  it('says whether everything is taken or the caller has its share', () => {
    const reasons: string[] = [];
    const admission = places({ most: 3, onRefused: (reason: string) => reasons.push(reason) });
    for (let n = 0; n < 3; n += 1) admission.enter(of(1));
    expect(codeOf(() => admission.enter(of(1)))).toBe('RATE_LIMITED');
    for (let user = 2; admission.left() > 0; user += 1) fill(admission, of(user));
    expect(codeOf(() => admission.enter(of(1_000)))).toBe('SERVICE_UNAVAILABLE');
    expect(reasons).toEqual(['share', 'full']);
  });

  it('lets holders that wait take turns, each in the order of arrival', async () => {
    const admission = places({ total: 4, small: 4 });
    const all = Array.from({ length: 4 }, () => admission.hold(of(0), 1));
    const log: string[] = [];
    const wait = async (user: number, name: string) => {
      const give = await admission.wait(of(user), Number.POSITIVE_INFINITY);
      log.push(name);
      give();
    };
    const waiting = [wait(1, 'a1'), wait(1, 'a2'), wait(2, 'b1'), wait(1, 'a3')];
    await setImmediate();
    for (const give of all) give();
    await Promise.all(waiting);
    expect(log).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('drops who is gone from the queue', async () => {
    const admission = places({ total: 1, small: 1 });
    const back = admission.enter(of(0));
    const client = new AbortController();
    const wait = (gone?: AbortSignal) => admission.wait(of(1), Number.POSITIVE_INFINITY, gone && { gone });
    const first = wait(client.signal);
    const second = wait();
    client.abort();
    await expect(first).rejects.toBe(client.signal.reason);
    await expect(wait(client.signal)).rejects.toBe(client.signal.reason);
    back();
    (await second)();
    expect(admission.left()).toBe(1);
  });

  it('refuses who has waited too long, and lets others pass an amount that does not fit', async () => {
    const admission = places({ total: 4, small: 4 });
    const back = admission.hold(of(0), 3);
    await expect(admission.wait(of(1), performance.now(), { amount: 2 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const large = admission.wait(of(1), Number.POSITIVE_INFINITY, { amount: 2 });
    await admission.wait(of(2), Number.POSITIVE_INFINITY);
    back();
    await large;
    expect(admission.left()).toBe(1);
  });
});

it('keeps the reserve for holders that have little', () => {
  const admission = places({ total: TOTAL });
  for (let user = 0; user < 10; user += 1) fill(admission, of(user));
  expect(admission.left()).toBeGreaterThanOrEqual(RESERVE - 10 * SMALL);
});
