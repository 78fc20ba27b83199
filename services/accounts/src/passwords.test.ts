import { describe, expect, it } from '@jest/globals';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

async function fastestMs(run: () => Promise<unknown>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i += 1) {
    const startedAt = performance.now();
    await run();
    fastest = Math.min(fastest, performance.now() - startedAt);
  }
  return fastest;
}

describe('passwords', () => {
  it('hashes with argon2id, 19 MiB, two passes, one lane, and a salt of its own', async () => {
    const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, 'correct horse')).toBe(true);
    expect(await passwords.verify(two, 'correct horsf')).toBe(false);
  });

  it('never verifies for nobody, and takes as long over it', async () => {
    const known = await passwords.hash('correct horse');
    expect(await passwords.verify(null, 'correct horse')).toBe(false);
    const [nobodyMs, someoneMs] = [
      await fastestMs(() => passwords.verify(null, 'wrong')),
      await fastestMs(() => passwords.verify(known, 'wrong')),
    ];
    expect(nobodyMs).toBeGreaterThan(someoneMs / 2);
  });
});
