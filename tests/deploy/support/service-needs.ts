import { type ServiceName, services } from '@waymark/contracts';
import { environments } from '../../../dev/environments.ts';

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

/** Every variable that a service reads. */
export const variablesOf = (service: ServiceName): string[] => Object.keys(environments[service]);

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
