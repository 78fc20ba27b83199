import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's Password Storage Cheat Sheet for argon2id, the default: 19 MiB, two passes, parallelism 1. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function createPasswords() {
  const decoy = hash(randomBytes(32), COST);
  return {
    hash: (password: string) => hash(password, COST),

    /** Returns false for a null hash (an unknown email) after as long as a real verification takes. */
    async verify(passwordHash: string | null, password: string) {
      const matches = await verify(passwordHash ?? (await decoy), password);
      return matches && passwordHash !== null;
    },
  };
}
