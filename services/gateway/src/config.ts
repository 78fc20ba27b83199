import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type BucketLimits,
  buckets,
  plans,
  RATE_WINDOW_SECONDS,
  type RateLimits,
  rateLimits,
} from '@waymark/contracts';
import {
  baseEnvironment,
  commaList,
  EnvironmentError,
  listPattern,
  parsedBy,
  readEnvironment,
  serversVariable,
  serviceUrls,
  trueOrFalse,
  urlVariables,
  wholeNumber,
} from '@waymark/service-kit/process';
import { z } from 'zod';
import { recordOf } from './limits/limit-decision.ts';
import { redisSentinelsOf, redisServersOf } from './limits/redis-servers.ts';

const origin = z.url().refine((value) => new URL(value).origin === value, {
  error: 'must be an origin: https://console.example.com',
});
const addressBlock = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be an IP address or a CIDR block' })
  .refine((block) => !block.endsWith('/0'), {
    error:
      'must not be all addresses: any client could then choose its own by X-Forwarded-For; name the proxies',
  });

const count = z.number().int().min(1);
const bucketLimits = z.partialRecord(z.enum(buckets), count);
const byPlan = z.partialRecord(z.enum(plans), bucketLimits);
const limitOverrides = z
  .strictObject({ key: byPlan, workspace: byPlan, session: bucketLimits, address: bucketLimits })
  .partial();

export const environment = {
  ...baseEnvironment('gateway'),
  ...urlVariables('decisions', 'workflows', 'threads', 'search', 'webhooks', 'notifications', 'transfer'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:8080')
    .describe('Where clients find the product: its origin may call with a session.'),
  SECURITY_CONTACT: z
    .url({ protocol: /^(?:https|mailto)$/, error: 'must be a URL: mailto:security@example.com or https://…' })
    .optional()
    .meta({
      description:
        'Whom to tell of a vulnerability, for /.well-known/security.txt: `mailto:security@example.com`.',
      pattern: '^\\s*([hH][tT][tT][pP][sS]|[mM][aA][iI][lL][tT][oO]):',
    }),
  CONSOLE_DIRECTORY: z
    .string()
    .default(builtFiles('@waymark/console'))
    .meta({ description: 'Where the built console is.', defaultText: 'in the package of the console' }),
  CORS_ORIGINS: commaList()
    .pipe(z.array(origin))
    .meta({
      description:
        'Further origins whose pages may call with a session: `https://console.example.com`, separated by commas.',
      pattern: listPattern('https?://[^\\s,/?#@]+'),
    }),
  TRUSTED_PROXIES: commaList()
    .pipe(z.array(addressBlock))
    .describe('Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks, separated by commas.'),
  PUBLIC_HEALTH: trueOrFalse(true).describe(
    'Whether /healthz and /readyz answer load balancers on the port for requests; /readyz is 503 before the start has ended and while it drains.',
  ),
  PUBLIC_TLS: trueOrFalse().describe(
    'Whether the port for requests speaks TLS with TLS_CERT_FILE, too. Leave it off behind a proxy that ends TLS.',
  ),
  MCP_WRITES: trueOrFalse().describe(
    'Whether POST /mcp offers tools that change something to callers who may. Set it when all services have this version.',
  ),
  OAUTH_REGISTRATION: trueOrFalse().describe(
    'Whether programs may register themselves (RFC 7591) to ask people for access to POST /mcp. Without it, a program needs an address with its metadata; those registered before stay known for a year.',
  ),
  EVENT_HEARTBEAT_MS: wholeNumber(15_000, 100, 60_000).describe(
    'How often a live event stream without events sends a heartbeat.',
  ),
  REDIS_URL: serversVariable(redisServersOf, 'redis://127.0.0.1:6379').describe(
    'One server, or with REDIS_CLUSTER some nodes of a cluster, separated by commas: `redis://host:6379`, `redis://user:password@host:6379`, `redis://:password@host:6379`, over TLS `rediss://…`; credentials are percent-encoded and hold for all nodes.',
  ),
  REDIS_CLUSTER: trueOrFalse().describe('Whether REDIS_URL leads to a cluster.'),
  REDIS_SENTINEL_URL: z
    .string()
    .transform(parsedBy(redisSentinelsOf))
    .optional()
    .describe(
      'Sentinels, separated by commas: `redis://host:26379`, with credentials and TLS of their own. REDIS_URL then has the name of the master instead of a host: `redis://user:password@mymaster`.',
    ),
  REDIS_PREFIX: z.string().regex(/^\w+$/).default('waymark').describe('Begins the names of keys in Redis.'),
  REDIS_TIMEOUT_MS: wholeNumber(50, 10, 1_000).describe(
    'How long an answer of Redis may take; slower three times in a row, and each gateway limits by itself.',
  ),
  UPSTREAM_RESPONSE_TIMEOUT_MS: wholeNumber(10_000, 100, 600_000).describe(
    'How long a service may take to begin its answer, counted from the end of the request.',
  ),
  BODY_TIMEOUT_MS: wholeNumber(30_000, 100, 600_000).describe(
    'How long a request body may take to arrive, and each 64 KiB of a graph or an import; also how long a client may take to read 64 KiB of an answer, with ten times as long in all, and once more for each 512 KiB of it.',
  ),
  RATE_LIMITS: z
    .string()
    .default('{}')
    .transform(parsedBy(JSON.parse as (text: string) => unknown, 'must be JSON'))
    .pipe(limitOverrides)
    .meta({
      description:
        'Overrides single limits: `{"key":{"business":{"read":200}},"session":{"export":20}}`, in a window.',
      pattern: '^\\s*\\{[\\s\\S]*\\}\\s*$',
    }),
  LIMIT_SCALE: z.coerce.number().positive().default(1).describe('Multiplies every rate limit.'),
  RATE_WINDOW_SECONDS: wholeNumber(RATE_WINDOW_SECONDS, 1, 3_600).describe('The window of the rate limits.'),
};

export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: Record<string, string | undefined>) {
  const config = readEnvironment(environment, env);
  if (config.publicTls && !config.tlsCertFile)
    throw new EnvironmentError('PUBLIC_TLS needs TLS_CERT_FILE and TLS_KEY_FILE');
  if (config.redisSentinelUrl && (config.redisCluster || config.redisUrl.servers.length > 1))
    throw new EnvironmentError(
      'with REDIS_SENTINEL_URL, REDIS_URL names one master, and REDIS_CLUSTER is false',
    );
  return {
    ...config,
    rateLimits: effectiveLimits(config.rateLimits, config.limitScale),
    upstreamUrls: serviceUrls(config),
  };
}

/** Returns the folder of a package's built files, whether this file runs from source or from dist. */
export function builtFiles(name: '@waymark/console' | '@waymark/docs'): string {
  const manifest = findPackageJSON(name, import.meta.url);
  return manifest === undefined ? '' : join(dirname(manifest), 'dist');
}

/** The limits with overrides, multiplied by `scale`; no limit falls below 1. */
export function effectiveLimits(overrides: z.output<typeof limitOverrides>, scale: number): RateLimits {
  const scaled = (standard: BucketLimits, override: Partial<BucketLimits> = {}) =>
    recordOf(buckets, (bucket) => Math.max(1, Math.round((override[bucket] ?? standard[bucket]) * scale)));
  const byPlan = (tier: 'key' | 'workspace') =>
    recordOf(plans, (plan) => scaled(rateLimits[tier][plan], overrides[tier]?.[plan]));
  return {
    key: byPlan('key'),
    workspace: byPlan('workspace'),
    session: scaled(rateLimits.session, overrides.session),
    address: scaled(rateLimits.address, overrides.address),
  };
}
