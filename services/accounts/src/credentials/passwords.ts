import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Null, for an email that nobody has, takes as long as a hash does and is false. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const nobodys = hash(randomBytes(32), COST);
  return {
    hash: (password) => hash(password, COST),
    async verify(passwordHash, password) {
      const matches = await verify(passwordHash ?? (await nobodys), password);
      return matches && passwordHash !== null;
    },
  };
}
