import { camelCase, type ServiceName, services } from '@waymark/contracts';
import { z } from 'zod';
import { readIdentityPrivateKeys, readIdentityPublicKeys } from './identity-keys.ts';
import { natsCredentials, natsServers } from './nats-servers.ts';
import { parsedBy } from './server-list.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;
type CamelKeys<T> = { [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };

/** Thrown when a process cannot start until its operator does what the message says; no stack is shown. */
export class StartupError extends Error {}

/** Thrown for an invalid environment. The message names every wrong variable. */
export class EnvironmentError extends StartupError {}

/** Reads the variables that `shape` declares, under camelCase names. Throws EnvironmentError. */
export function readEnvironment<S extends z.core.$ZodLooseShape>(
  shape: S,
  env: Record<string, string | undefined>,
): CamelKeys<z.output<z.ZodObject<S>>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new EnvironmentError(`These environment variables are wrong or missing:\n${lines.join('\n')}`);
  }
  const entries = Object.entries(parsed.data).map(([name, value]) => [camelCase(name.toLowerCase()), value]);
  return Object.fromEntries(entries) as CamelKeys<z.output<z.ZodObject<S>>>;
}

/** A variable that is `true` or `false`. */
export const trueOrFalse = (byDefault = false) =>
  z
    .enum(['true', 'false'])
    .default(byDefault ? 'true' : 'false')
    .transform((value) => value === 'true');

export const wholeNumber = (byDefault: number, least = 1, most = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(least).max(most).default(byDefault);
const port = (byDefault: number) => wholeNumber(byDefault, 0, 65_535);

/** A list separated by commas; empty without the variable. */
export const commaList = () =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').map((item) => item.trim()))
    .transform((items) => items.filter((item) => item !== ''));

/** Returns the pattern of a list that commaList reads, by which the chart checks it. */
export const listPattern = (item: string) => `^(\\s*(${item})?\\s*(,|$))*$`;

/** A comma-separated list of secrets. The first signs and all verify, so they rotate without downtime. */
export const secretList = () =>
  z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine(
      (list) => list.every((secret) => secret.length >= 32),
      'each secret needs at least 32 characters',
    );

/** A service that declares it as `<SERVICE>_URL` can call the operations of that service. */
export function serviceUrl(service: ServiceName) {
  return z
    .string()
    .default(`http://127.0.0.1:${services[service].port}`)
    .meta({
      description: 'The URL of that service, or those of several replicas, separated by commas.',
      pattern: listPattern('[hH][tT][tT][pP][sS]?://[^\\s,/?]+/?'),
    });
}

type UrlVariables<N extends ServiceName> = {
  [Name in N as `${Uppercase<Name>}_URL`]: ReturnType<typeof serviceUrl>;
};

/** The URLs of several services. */
export const urlVariables = <N extends ServiceName>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_URL`, serviceUrl(name)])) as UrlVariables<N>;

/** Pairs `name=value,name=value` with percent-encoded values, in the format of OpenTelemetry. */
function headersOf(text: string): Record<string, string> {
  const given = text.split(',').filter((item) => item.trim() !== '');
  const pairs = given.map((item) => /^\s*([\w.-]+)=(.*)$/s.exec(item));
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!.trim())]));
}

/** Returns the variables that every process reads. */
export function baseEnvironment(service: ServiceName) {
  return {
    HOST: z
      .string()
      .optional()
      .describe('The address to listen on; without it all there are, of IPv4 and of IPv6.'),
    PORT: port(services[service].port).describe('The port for requests; 8080 in the images.'),
    ADMIN_PORT: port(services[service].adminPort).describe(
      'The port for probes and metrics; 9090 in the images.',
    ),
    TLS_CERT_FILE: z
      .string()
      .optional()
      .describe(
        'A PEM file with the certificate of this service, with which it serves HTTPS on both ports. Renewed files are read within seconds, without a restart.',
      ),
    TLS_KEY_FILE: z.string().optional().describe('The PEM file with the private key of that certificate.'),
    TLS_CA_FILE: z
      .string()
      .optional()
      .describe(
        'A PEM file with the authorities of the other services, whose URLs begin with https, instead of all that Node trusts.',
      ),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('The lowest level that is logged.'),
    IDENTITY_PRIVATE_KEYS: z
      .string()
      .transform(parsedBy(readIdentityPrivateKeys, 'needs Ed25519 private keys, PKCS8 in base64'))
      .describe(
        'The keys of this service alone, which sign the identity that it sends to other services: Ed25519, PKCS8 in base64, separated by commas; the first signs.',
      ),
    IDENTITY_PUBLIC_KEYS: z
      .string()
      .transform(parsedBy(readIdentityPublicKeys, 'needs service=key pairs with Ed25519 public keys'))
      .describe(
        'The public keys of all services, which verify these identities: `service=key,service=key`, SPKI in base64; a service may have several.',
      ),
    CURSOR_SECRETS: secretList().describe(
      'Sign the cursors of lists: 32 characters or more each, separated by commas; the first signs, all verify.',
    ),
    NATS_URL: natsServers().describe(
      'One or more servers of NATS, separated by commas: `nats://host:4222`, `nats://user:password@host:4222`, `nats://token@host:4222`, over TLS `tls://…`; credentials are percent-encoded.',
    ),
    NATS_CREDS: natsCredentials().describe(
      'The content of a creds file of NATS, or the seed of an nkey, where it asks for one.',
    ),
    NATS_CERT_FILE: z
      .string()
      .optional()
      .describe(
        'A PEM file with the certificate that this process shows NATS, where NATS verifies clients. Like the next two, it is read for each connection, so that a renewed one needs no restart.',
      ),
    NATS_KEY_FILE: z.string().optional().describe('The PEM file with the private key of that certificate.'),
    NATS_CA_FILE: z
      .string()
      .optional()
      .describe('A PEM file with the authorities of NATS, instead of all that Node trusts.'),
    NATS_PREFIX: z
      .string()
      .regex(/^\w+$/)
      .default('waymark')
      .describe('Begins the names of streams and subjects. The permissions of users of NATS contain it too.'),
    NATS_REPLICAS: wholeNumber(1, 1, 5).describe(
      'The number of nodes that store a new stream; an existing stream keeps its number.',
    ),
    ACCOUNTS_URL: serviceUrl('accounts'),
    AUDIT_URL: serviceUrl('audit'),
    DRAIN_DELAY_MS: wholeNumber(5_000, 0, 15_000).describe(
      'How long a process stays in rotation after SIGTERM, failing readiness.',
    ),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The base URL of a collector that takes OTLP over HTTP; without it there are no traces.'),
    OTEL_EXPORTER_OTLP_HEADERS: z
      .string()
      .default('')
      .transform(parsedBy(headersOf, 'must be name=value pairs, separated by commas'))
      .describe(
        'The credentials that the collector asks for: `name=value,name=value`, the values percent-encoded.',
      ),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe('The share of requests that are traced.'),
  };
}

/** Returns the variables of a service with a database. */
export function databaseEnvironment(service: ServiceName) {
  return {
    ...baseEnvironment(service),
    MONGODB_URL: z
      .string()
      .optional()
      .describe('A replica set or a mongos; without it a service answers 503 DATABASE_NOT_CONFIGURED.'),
    MONGODB_DATABASE: z
      .string()
      .regex(/^[^/\\. "$]{1,63}$/, 'must be a name of at most 63 characters, without / \\ . " $ and spaces')
      .default(`waymark_${service}`)
      .describe('The name of the service’s own database.'),
    MIGRATE_ON_START: trueOrFalse().describe(
      'Brings the database to this version’s schema; else a service refuses to start while a migration is pending.',
    ),
  };
}

/** Returns the URLs of other services in a configuration, by service. */
export function serviceUrls(config: object): Partial<Record<ServiceName, string>> {
  const urls: Partial<Record<ServiceName, string>> = {};
  for (const service of Object.keys(services) as ServiceName[]) {
    const url = (config as Record<string, unknown>)[`${service}Url`];
    if (typeof url === 'string') urls[service] = url;
  }
  return urls;
}

type EnvironmentOf<T extends (...args: never[]) => z.core.$ZodLooseShape> = CamelKeys<
  z.output<z.ZodObject<ReturnType<T>>>
>;
export type BaseConfig = EnvironmentOf<typeof baseEnvironment>;
export type DatabaseConfig = EnvironmentOf<typeof databaseEnvironment>;
