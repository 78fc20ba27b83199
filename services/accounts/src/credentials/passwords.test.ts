import { describe, expect, it } from '@jest/globals';
import { createPasswords } from './passwords.ts';

describe('passwords', () => {
  it('are hashed with argon2id, 19 MiB, two passes, parallelism 1, and a new salt', async () => {
    const passwords = createPasswords();
    const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, 'correct horse')).toBe(true);
    expect(await passwords.verify(two, 'correct horsf')).toBe(false);
  });
});
