import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { EncryptJWT } from 'jose';
import { z } from 'zod';
import { derivedSecrets } from './derived-secrets.ts';
import { sealedFlows } from './tokens.ts';

it('a sealed flow is opened until it expires, and only with the algorithm that seals it (RFC 8725, 3.1)', async () => {
  const keys = [generateKeyPairSync('ed25519').privateKey];
  let nowMs = 1_700_000_000_000;
  const options = { purpose: 'a test', schema: z.string(), seconds: 60 };
  const flows = sealedFlows(keys, options, () => nowMs);
  const sealed = await flows.seal('state');
  expect(await flows.open(sealed)).toBe('state');
  // The same key fits another algorithm of JWE.
  const foreign = await new EncryptJWT({ flow: 'state' })
    .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
    .setExpirationTime(nowMs / 1_000 + 60)
    .encrypt(derivedSecrets(keys, 'a test')[0]!);
  expect(await flows.open(foreign)).toBeNull();
  nowMs += 61_000;
  expect(await flows.open(sealed)).toBeNull();
});
