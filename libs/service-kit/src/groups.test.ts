import { describe, expect, it } from '@jest/globals';
import { createGroups } from './groups.ts';

describe('groups', () => {
  it('take whoever comes while one is written as the next, in the order of their arrival', async () => {
    const groups: number[][] = [];
    const first = Promise.withResolvers<void>();
    const third = Promise.withResolvers<void>();
    const join = createGroups<number>(async (members) => {
      groups.push([...members]);
      if (groups.length === 1) await first.promise;
      if (members.includes(3)) third.resolve();
    });
    for (const member of [1, 2, 3]) join(member);
    expect(groups).toEqual([[1]]);
    first.resolve();
    await third.promise;
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it('are bounded, and leave nobody behind', async () => {
    const sizes: number[] = [];
    const last = Promise.withResolvers<void>();
    const join = createGroups<number>(async (members) => {
      sizes.push(members.length);
      await null;
      if (members.includes(200)) last.resolve();
    });
    for (let member = 0; member <= 200; member += 1) join(member);
    await last.promise;
    expect(sizes).toEqual([1, 64, 64, 64, 8]);
  });
});
