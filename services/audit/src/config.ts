import { databaseEnvironment, parsedBy, readEnvironment, serviceUrl } from '@waymark/service-kit/process';
import { z } from 'zod';
import { readSigningKeys } from './chain/signing.ts';

const HINT =
  'needs an Ed25519 private key, PKCS8 in base64; create one: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0';

/** A stream or an outbox can redeliver an event for weeks; only its entry marks it as a duplicate. */
const RETENTION_DAYS_MIN = 30;

const retention = {
  AUDIT_SIGNING_KEYS: z
    .string({ error: HINT })
    .transform(parsedBy(readSigningKeys, HINT))
    .describe(
      'The keys that sign the audit chains: Ed25519, PKCS8 in base64, separated by commas; the first signs, all verify.',
    ),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(RETENTION_DAYS_MIN)
    .optional()
    .describe('Entries older than this are removed daily; without it they are kept forever.'),
};

export const environment = {
  ...databaseEnvironment('audit'),
  ...retention,
  SEARCH_URL: serviceUrl('search'),
};

export type AuditConfig = ReturnType<typeof readConfig>;

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);

export const readRetentionConfig = (env: Record<string, string | undefined>) =>
  readEnvironment(retention, env);
