import type { KeyObject } from 'node:crypto';
import { EncryptJWT, type JWTPayload, jwtDecrypt, jwtVerify, SignJWT } from 'jose';
import type { z } from 'zod';
import { derivedSecrets, encryption } from './derived-secrets.ts';

const SIGNATURE = 'HS256';

interface TokenKind<S extends z.ZodType> {
  purpose: string;
  schema: S;
  seconds: number;
}

/*
 * Tokens of one purpose, of which accounts stores nothing. A secret of the first of its private keys makes
 * them; those of all of them open them.
 */

/** Encrypts the state of a flow, which the browser keeps between the steps. */
export function sealedFlows<S extends z.ZodType>(
  privateKeys: readonly KeyObject[],
  { purpose, schema, seconds }: TokenKind<S>,
  now: () => number,
) {
  const keys = derivedSecrets(privateKeys, purpose);
  return {
    seal: (flow: z.output<S>) =>
      new EncryptJWT({ flow })
        .setProtectedHeader(encryption.header)
        .setExpirationTime(endOf(now, seconds))
        .encrypt(keys[0]!),

    /** Returns null for a value that this installation did not seal, or that has expired. */
    open: (sealed = ''): Promise<z.output<S> | null> =>
      firstOpened(keys, async (key) => {
        const options = { ...encryption.accepted, ...checks(now) };
        return schema.parse((await jwtDecrypt(sealed, key, options)).payload['flow']);
      }),
  };
}

/** Signs claims that their bearer may read. */
export function signedTokens<S extends z.ZodType<JWTPayload>>(
  privateKeys: readonly KeyObject[],
  { purpose, schema, seconds }: TokenKind<S>,
  now: () => number,
) {
  const keys = derivedSecrets(privateKeys, purpose);
  return {
    sign: (claims: z.output<S>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: SIGNATURE })
        .setExpirationTime(endOf(now, seconds))
        .sign(keys[0]!),

    /** Returns null for a token that this installation did not sign, or that has expired. */
    verify: (token: string): Promise<(z.output<S> & { exp: number }) | null> =>
      firstOpened(keys, async (key) => {
        const { payload } = await jwtVerify(token, key, { algorithms: [SIGNATURE], ...checks(now) });
        return { ...schema.parse(payload), exp: payload.exp! };
      }),
  };
}

const endOf = (now: () => number, seconds: number) => Math.floor(now() / 1_000) + seconds;
const checks = (now: () => number) => ({ currentDate: new Date(now()), requiredClaims: ['exp'] });

async function firstOpened<T>(keys: readonly Buffer[], open: (key: Buffer) => Promise<T>): Promise<T | null> {
  for (const key of keys) {
    try {
      return await open(key);
    } catch {
      // Made with another key, or not valid at all: try the next key.
    }
  }
  return null;
}
