import { describe, expect, it } from '@jest/globals';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

/** The least processor time of five runs, in microseconds; other processes do not affect it. */
async function leastCpu(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

describe('passwords', () => {
  it('hashes with argon2id, 19 MiB, two passes, parallelism 1, and a new salt', async () => {
    const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, 'correct horse')).toBe(true);
    expect(await passwords.verify(two, 'correct horsf')).toBe(false);
  });

  it('never verifies without a hash, but does the same amount of work', async () => {
    const known = await passwords.hash('correct horse');
    expect(await passwords.verify(null, 'correct horse')).toBe(false);
    const [nobodys, someones] = [
      await leastCpu(() => passwords.verify(null, 'wrong')),
      await leastCpu(() => passwords.verify(known, 'wrong')),
    ];
    expect(nobodys).toBeGreaterThan(someones / 2);
  });
});
