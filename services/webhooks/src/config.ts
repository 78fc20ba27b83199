import { limits, webhookRetryDelaysSeconds } from '@waymark/contracts';
import { databaseEnvironment, flag, readEnvironment } from '@waymark/service-kit';
import { z } from 'zod';
import { readEncryptionKeys } from './secret-box.ts';

const KEYS_HINT =
  'needs a key of 32 bytes in base64, or several separated by commas; make one: openssl rand -base64 32';

/** Comma-separated: the first encrypts, all decrypt. */
const encryptionKeys = () =>
  z.string({ error: KEYS_HINT }).transform((value, context) => {
    try {
      return readEncryptionKeys(value);
    } catch {
      context.issues.push({ code: 'custom', message: KEYS_HINT, input: undefined });
      return z.NEVER;
    }
  });

const integers = (least: number, most: number) =>
  z
    .string()
    .transform((value) => value.split(',').map(Number))
    .refine((list) => list.every((n) => Number.isInteger(n) && n >= least && n <= most), {
      error: `must be whole numbers from ${least} to ${most}, separated by commas`,
    });

const count = (standard: number, least = 1) => z.coerce.number().int().min(least).default(standard);

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(
    {
      ...databaseEnvironment('webhooks'),
      WEBHOOK_ENCRYPTION_KEYS: encryptionKeys(),
      /** Stands before Event, Delivery, Timestamp and Signature. */
      WEBHOOK_HEADER_PREFIX: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9-]*-$/, {
          error: 'must be letters, digits and hyphens, with a hyphen last',
        })
        .default('X-Service-'),
      /** For trying things out: endpoints may be http and on loopback, at any port from 1024. */
      WEBHOOK_ALLOW_LOOPBACK: flag(),
      WEBHOOK_PORTS: integers(1, 65_535).default([443, 8443]),
      WEBHOOK_RETRY_DELAYS_SECONDS: integers(1, 30 * 86_400).default([...webhookRetryDelaysSeconds]),
      WEBHOOK_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(20).default(limits.webhookAttempts),
      WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(limits.webhookAttemptTimeoutMs),
      /** Attempts at once to one endpoint, and what it may get in a second, by one replica; of one with a rate of its own, by all. */
      WEBHOOK_CONCURRENCY: count(32),
      /**
       * Attempts at once to the endpoints of one workspace, and in all, by one replica; each may keep a socket for as long as
       * the timeout. An endpoint takes half as many as its workspace leaves free, a workspace half as many as all do.
       */
      WEBHOOK_WORKSPACE_CONCURRENCY: count(128),
      WEBHOOK_TOTAL_CONCURRENCY: count(1_024),
      WEBHOOK_MAX_PER_SECOND: count(1_000),
      WEBHOOK_FAILING_DAYS: count(limits.webhookFailingDays),
      /** An event can come again for as long as its stream keeps it: what it led to has to outlive that. */
      WEBHOOK_RETENTION_DAYS: count(limits.webhookRetentionDays, 8),
      WEBHOOK_ENDPOINTS_PER_WORKSPACE: count(limits.webhookEndpointsPerWorkspace),
      /** How often what is due is looked for; what just happened does not wait for it. */
      WEBHOOK_SWEEP_MS: count(500, 10),
    },
    env,
  );
}

export type WebhooksConfig = ReturnType<typeof readConfig>;
