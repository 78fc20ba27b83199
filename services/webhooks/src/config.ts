import { limits, webhookPorts, webhookRetryDelaysSeconds } from '@waymark/contracts';
import {
  databaseEnvironment,
  listPattern,
  parsedBy,
  readEnvironment,
  serviceUrl,
  trueOrFalse,
  wholeNumber,
} from '@waymark/service-kit/process';
import { z } from 'zod';
import { readAllowedTargets } from './endpoints/allowed-targets.ts';
import { readEncryptionKeys } from './endpoints/secret-box.ts';

const KEYS_HINT =
  'needs a key of 32 bytes in base64, or several separated by commas; make one: openssl rand -base64 32';

const integers = (least: number, most: number) =>
  z
    .string()
    .transform((value) => value.split(',').map(Number))
    .refine((list) => list.every((n) => Number.isInteger(n) && n >= least && n <= most), {
      error: `must be whole numbers from ${least} to ${most}, separated by commas`,
    })
    .meta({ items: { minimum: least, maximum: most } });

const HOST = '([0-9][0-9.-]*)?[a-zA-Z][a-zA-Z0-9.-]*';
const V4 = '([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9]{1,3}(\\.[0-9]{1,3}){1,3}/0*(3[0-2]|[12]?[0-9]))';
const V6 = '\\[[0-9a-fA-F:.]+(%[0-9a-zA-Z]+)?(/0*(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?\\]';

export const environment = {
  ...databaseEnvironment('webhooks'),
  SEARCH_URL: serviceUrl('search'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:8080')
    .describe('Where the links in messages to chats lead.'),
  WEBHOOK_ENCRYPTION_KEYS: z
    .string({ error: KEYS_HINT })
    .transform(parsedBy(readEncryptionKeys, KEYS_HINT))
    .describe(
      'Keys that encrypt the secrets of webhooks: 32 bytes in base64, separated by commas; the first encrypts, all decrypt.',
    ),
  WEBHOOK_HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*-$/, {
      error: 'must be letters, digits and hyphens, with a hyphen last',
    })
    .default('X-Waymark-')
    .describe('Prefix of the headers Event, Delivery, Timestamp and Signature of a delivery.'),
  WEBHOOK_ALLOW_LOOPBACK: trueOrFalse().describe(
    'For trying things out: endpoints may be http and on loopback, at any port from 1024.',
  ),
  WEBHOOK_PORTS: integers(1, 65_535)
    .default([...webhookPorts])
    .describe('Ports that endpoints may have, separated by commas.'),
  WEBHOOK_ALLOWED_TARGETS: z
    .string()
    .transform(parsedBy(readAllowedTargets))
    .default([])
    .meta({
      description:
        'Hosts, addresses and networks that endpoints may use in addition to public addresses, separated by commas: `10.20.0.0/16`, `[fd12::/48]:8443`, `hooks.internal`. Without a port, those of WEBHOOK_PORTS. `http://` in front allows plain http as well. Loopback, link-local and metadata addresses stay refused.',
      pattern: listPattern(`(http://)?(${HOST}|${V4}|${V6})(:[0-9]{1,5})?`),
    }),
  WEBHOOK_PROXY_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL like http://user:password@proxy.internal:3128' })
    .optional()
    .describe(
      'An egress proxy (HTTP CONNECT) for deliveries to all but WEBHOOK_ALLOWED_TARGETS. It resolves names, so it must refuse private addresses.',
    ),
  WEBHOOK_RETRY_DELAYS_SECONDS: integers(1, 30 * 86_400)
    .default([...webhookRetryDelaysSeconds])
    .describe('How long after each failure the next attempt is made, separated by commas.'),
  WEBHOOK_MAX_ATTEMPTS: wholeNumber(limits.webhookAttempts, 1, 20).describe(
    'Attempts of a delivery, including the first.',
  ),
  WEBHOOK_TIMEOUT_MS: wholeNumber(limits.webhookAttemptTimeoutMs, 50, 30_000).describe(
    'How long one attempt may take.',
  ),
  WEBHOOK_CONCURRENCY: wholeNumber(32).describe('Attempts at once to one endpoint, by one replica.'),
  WEBHOOK_WORKSPACE_CONCURRENCY: wholeNumber(128).describe(
    'Attempts at once to the endpoints of one workspace, by one replica; an endpoint takes at most half as many as it leaves free.',
  ),
  WEBHOOK_TOTAL_CONCURRENCY: wholeNumber(1_024).describe(
    'Attempts at once in total, by one replica; a workspace takes at most half as many as it leaves free.',
  ),
  WEBHOOK_MAX_PER_SECOND: wholeNumber(1_000).describe(
    'Attempts per second to one endpoint, by one replica. A lower rate of the endpoint itself holds for all replicas together.',
  ),
  WEBHOOK_FAILING_DAYS: wholeNumber(limits.webhookFailingDays).describe(
    'On how many days an endpoint must fail to be disabled.',
  ),
  /** At least as long as the stream keeps events: a redelivered event must find its deliveries. */
  WEBHOOK_RETENTION_DAYS: wholeNumber(limits.webhookRetentionDays, 8).describe(
    'How long finished deliveries are kept.',
  ),
  WEBHOOK_ENDPOINTS_PER_WORKSPACE: wholeNumber(limits.webhookEndpointsPerWorkspace).describe(
    'The most endpoints of one workspace.',
  ),
  WEBHOOK_SWEEP_MS: wholeNumber(1_000, 10).describe(
    'How often the store is searched for due deliveries; new events do not wait for it.',
  ),
};

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);

export type WebhooksConfig = ReturnType<typeof readConfig>;
