import { describe, expect, it } from '@jest/globals';
import { type FairShare, fairShare, inProportion, upTo } from './fair-share.ts';

/** Counts how often a member can take one until its share is used up. */
function takeAll<Member>(share: FairShare<Member>, member: Member): number {
  let taken = 0;
  for (; share.allowance(member) > 0; taken += 1) share.take(member);
  return taken;
}

describe('fairShare in proportion to what is left', () => {
  const byCaller = () =>
    fairShare<readonly string[]>({ total: 512, policy: inProportion(1), tenantsOf: (callers) => callers });

  it('gives one tenant half, and the next ones half of what is left', () => {
    const share = byCaller();
    expect([['a'], ['b'], ['c']].map((callers) => takeAll(share, callers))).toEqual([256, 128, 64]);
    expect([share.allowance(['a']) > 0, share.allowance(['d']) > 0]).toEqual([false, true]);
  });

  it('counts an amount for each tenant of the member, and once in total', () => {
    const share = byCaller();
    expect(takeAll(share, ['workspace', 'user'])).toBe(256);
    expect(share.left()).toBe(256);
    expect(share.allowance(['another workspace', 'user'])).toBeLessThanOrEqual(0);
    expect(share.allowance(['workspace', 'another user'])).toBeLessThanOrEqual(0);
    expect(share.allowance(['another workspace', 'another user'])).toBeGreaterThan(0);
  });

  it('allows a tenant more when it or another tenant gives some back', () => {
    const share = byCaller();
    takeAll(share, ['a']);
    takeAll(share, ['b']);
    share.give(['a']);
    expect(share.allowance(['a'])).toBeLessThanOrEqual(0);
    expect(takeAll(share, ['b'])).toBe(1);
    for (let i = 0; i < 129; i += 1) share.give(['b']);
    expect(takeAll(share, ['a'])).toBe(1);
  });

  it('allows half as much as stays free', () => {
    const share = fairShare<string>({ total: 90, policy: inProportion(0.5), tenantsOf: (id) => [id] });
    share.take('a', share.allowance('a'));
    expect([share.left(), share.allowance('a'), share.allowance('b')]).toEqual([60, 0, 20]);
  });
});

describe('fairShare with members', () => {
  it('divides the total between tenants, and each part between members', () => {
    const share = fairShare<{ tenant: string }>({
      total: 100,
      policy: inProportion(0.5),
      tenantsOf: ({ tenant }) => [tenant],
      perTenant: 20,
    });
    const [a, b, other] = [{ tenant: 'one' }, { tenant: 'one' }, { tenant: 'two' }];
    expect([takeAll(share, a), takeAll(share, b), takeAll(share, other)]).toEqual([7, 5, 7]);
    expect([share.taken(a), share.tenantAllowance('one') > 0]).toEqual([7, true]);
  });
});

describe('fairShare up to a number', () => {
  it('allows each tenant that number while something is left', () => {
    const share = fairShare<string>({ total: 5, policy: upTo(2), tenantsOf: (id) => [id] });
    expect(['a', 'b', 'c'].map((id) => takeAll(share, id))).toEqual([2, 2, 1]);
  });
});
