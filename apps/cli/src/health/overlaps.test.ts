import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { generateSigningKey } from '@waymark/service-kit/process';
import { overlapsIn } from './overlaps.ts';

const publicKey = () =>
  generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

it('names the secrets that are being rotated, with how many values they have', () => {
  const settled = {
    GATEWAY_IDENTITY_PRIVATE_KEYS: 'a',
    AUDIT_IDENTITY_PRIVATE_KEYS: 'b',
    CURSOR_SECRETS: 'c',
    AUDIT_SIGNING_KEYS: `${generateSigningKey()},${publicKey()},${publicKey()}`,
    WEBHOOK_ENCRYPTION_KEYS: 'd',
  };
  expect(overlapsIn(settled)).toEqual({});
  expect(overlapsIn({ AUDIT_SIGNING_KEYS: 'nonsense' })).toEqual({});
  const rotating = {
    ...settled,
    AUDIT_IDENTITY_PRIVATE_KEYS: 'b,new',
    AUDIT_SIGNING_KEYS: `${settled.AUDIT_SIGNING_KEYS},${generateSigningKey()}`,
    WEBHOOK_ENCRYPTION_KEYS: 'd,e,f',
  };
  expect(overlapsIn(rotating)).toEqual({
    IDENTITY_PRIVATE_KEYS: 2,
    AUDIT_SIGNING_KEYS: 2,
    WEBHOOK_ENCRYPTION_KEYS: 3,
  });
});
