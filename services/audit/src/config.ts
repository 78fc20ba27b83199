import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { z } from 'zod';
import { readSigningKeys, type SigningKeys } from './chain/signing.ts';

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

/** An event can come again for as long as a stream or an outbox has it, and only its entry tells that it is known. */
const LEAST_RETENTION_DAYS = 30;

const retention = {
  AUDIT_SIGNING_KEYS: signingKeys().describe(
    'Sign the heads of the audit chains: Ed25519 keys, PKCS8 in base64, separated by commas; the first signs, all verify.',
  ),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(LEAST_RETENTION_DAYS)
    .optional()
    .describe('Entries that are older are removed, daily; without it they are kept for good.'),
};

export const environment = { ...databaseEnvironment('audit'), ...retention };

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}

/** What retention needs beside a database. Throws EnvironmentError. */
export function readRetentionConfig(env: Record<string, string | undefined>) {
  return readEnvironment(retention, env);
}
