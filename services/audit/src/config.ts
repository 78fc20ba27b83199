import { databaseEnvironment, readEnvironment } from '@waymark/service-kit';
import { z } from 'zod';
import { readSigningKeys, type SigningKeys } from './signing.ts';

const HINT =
  'needs an Ed25519 private key, PKCS8 in base64; make one: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0';

/** Comma-separated: the first signs, all verify; the retired ones may be public keys. */
const signingKeys = () =>
  z.string({ error: HINT }).transform((value, context): SigningKeys => {
    try {
      return readSigningKeys(value);
    } catch {
      context.issues.push({ code: 'custom', message: HINT, input: undefined });
      return z.NEVER;
    }
  });

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment({ ...databaseEnvironment('audit'), AUDIT_SIGNING_KEYS: signingKeys() }, env);
}
