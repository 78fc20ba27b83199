import { limits, webhookRetryDelaysSeconds } from '@waymark/contracts';
import { databaseEnvironment, flag, readEnvironment } from '@waymark/service-kit/process';
import { z } from 'zod';
import { readEncryptionKeys } from './endpoints/secret-box.ts';

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

export const environment = {
  ...databaseEnvironment('webhooks'),
  WEBHOOK_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Encrypt the webhooks’ secrets: 32 bytes in base64, separated by commas; the first encrypts, all decrypt.',
  ),
  WEBHOOK_HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*-$/, {
      error: 'must be letters, digits and hyphens, with a hyphen last',
    })
    .default('X-Service-')
    .describe('Stands before Event, Delivery, Timestamp and Signature in the headers of a delivery.'),
  WEBHOOK_ALLOW_LOOPBACK: flag().describe(
    'For trying things out: endpoints may be http and on loopback, at any port from 1024.',
  ),
  WEBHOOK_PORTS: integers(1, 65_535)
    .default([443, 8443])
    .describe('Ports that endpoints may have, separated by commas.'),
  WEBHOOK_RETRY_DELAYS_SECONDS: integers(1, 30 * 86_400)
    .default([...webhookRetryDelaysSeconds])
    .describe('How long after each failure the next attempt is made, separated by commas.'),
  WEBHOOK_MAX_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(20)
    .default(limits.webhookAttempts)
    .describe('POSTs of a delivery in all, the first included.'),
  WEBHOOK_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(50)
    .max(30_000)
    .default(limits.webhookAttemptTimeoutMs)
    .describe('How long one attempt may take.'),
  WEBHOOK_CONCURRENCY: count(32).describe('Attempts at once to one endpoint, by one replica.'),
  /** Each may keep a socket for as long as the timeout. */
  WEBHOOK_WORKSPACE_CONCURRENCY: count(128).describe(
    'Attempts at once to the endpoints of one workspace, by one replica; an endpoint takes half as many as its workspace leaves free.',
  ),
  WEBHOOK_TOTAL_CONCURRENCY: count(1_024).describe(
    'Attempts at once in all, by one replica; a workspace takes half as many as all leave free.',
  ),
  WEBHOOK_MAX_PER_SECOND: count(1_000).describe(
    'What an endpoint may get in a second, by one replica; of one with a lower rate of its own, that, by all.',
  ),
  WEBHOOK_FAILING_DAYS: count(limits.webhookFailingDays).describe(
    'On how many days an endpoint has to fail to be disabled.',
  ),
  /** An event can come again for as long as its stream keeps it: what it led to has to outlive that. */
  WEBHOOK_RETENTION_DAYS: count(limits.webhookRetentionDays, 8).describe(
    'How long deliveries that are done are kept.',
  ),
  WEBHOOK_ENDPOINTS_PER_WORKSPACE: count(limits.webhookEndpointsPerWorkspace).describe(
    'Endpoints of one workspace.',
  ),
  WEBHOOK_SWEEP_MS: count(500, 10).describe(
    'How often what is due is looked for; what just happened does not wait for it.',
  ),
};

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}

export type WebhooksConfig = ReturnType<typeof readConfig>;
