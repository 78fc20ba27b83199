import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, services } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';

/** Variables that hold a secret, or a URL that contains a password. */
export const secretNames = [
  'IDENTITY_PRIVATE_KEYS',
  'IDENTITY_PUBLIC_KEYS',
  'CURSOR_SECRETS',
  'AUDIT_SIGNING_KEYS',
  'WEBHOOK_ENCRYPTION_KEYS',
  'MONGODB_URL',
  'REDIS_URL',
  'NATS_URL',
];
/** Secrets that are optional in a deployment. */
export const optionalSecretNames = [
  'NATS_CREDS',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'REDIS_SENTINEL_URL',
  'SMTP_URL',
  'WEBHOOK_PROXY_URL',
];

const root = findRepositoryRoot();
const declaredIn = (text: string) =>
  [...text.matchAll(/(?<=[\s{])([A-Z][A-Z0-9_]{3,}): /g)].map(([, name]) => name!);
const kit = readFileSync(join(root, 'libs/service-kit/src/process/environment.ts'), 'utf8');
const [base = '', database = ''] = kit
  .split(/^export function (?=baseEnvironment|databaseEnvironment)/m)
  .slice(1)
  .map((part) => part.split('\n}\n')[0]!);

/** Every variable that a service reads, according to its configuration schema. */
export function variablesOf(service: ServiceName): string[] {
  const config = readFileSync(join(root, `services/${service}/src/config.ts`), 'utf8');
  const stores = config.includes('databaseEnvironment(') ? declaredIn(database) : [];
  return [...new Set([...declaredIn(base), ...stores, ...declaredIn(config)])];
}

/**
 * Returns what a deployment must give a service: the services it calls, the stores it uses, the secrets it
 * reads; each list sorted.
 */
export function serviceNeeds(service: ServiceName) {
  const variables = variablesOf(service);
  return {
    calls: Object.keys(services)
      .filter((name) => variables.includes(`${name.toUpperCase()}_URL`))
      .sort(),
    stores: ['mongodb', 'nats', 'redis'].filter((store) => variables.includes(`${store.toUpperCase()}_URL`)),
    secrets: secretNames.filter((name) => variables.includes(name)).sort(),
    optionalSecrets: optionalSecretNames.filter((name) => variables.includes(name)).sort(),
  };
}
