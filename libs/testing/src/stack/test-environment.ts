import { randomBytes } from 'node:crypto';
import { eventStream, type ServiceName } from '@waymark/contracts';
import { identityPrivateKeysOf } from '@waymark/service-kit/process';
import { patience } from '../patience.ts';
import { identityEnvironment } from './test-identity.ts';

export type Env = Record<string, string | undefined>;

/** A fixed Ed25519 key (PKCS8 DER, base64) that signs audit heads in tests and nowhere else. */
export const AUDIT_SIGNING_KEY = 'MC4CAQAwBQYDK2VwBCIEIALCqSBk3vbejY81q6pEPGxw8TIW6O44TEdr/VzBhRbd';

/** Encrypts webhook secrets in tests and nowhere else. */
const WEBHOOK_ENCRYPTION_KEY = 'dGhpcnR5LXR3byBieXRlcyBmb3IgdGVzdHMgb25seSE=';

/** Longer than a scan or a response takes on a busy test machine, and at most what the services accept. */
export const LONG_TIMEOUT_MS = String(Math.min(600_000, patience(60_000)));

/**
 * Returns an environment with its own names on the shared stores, so that runs and suites are independent.
 */
export function testEnvironment(): Env {
  const id = `t${randomBytes(6).toString('hex')}`;
  return {
    MONGODB_URL: process.env['MONGODB_URL'],
    REDIS_URL: process.env['REDIS_URL'],
    NATS_URL: process.env['NATS_URL'],
    NATS_PREFIX: id,
    REDIS_PREFIX: id,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...identityEnvironment,
    CURSOR_SECRETS: 'cursor-secret-for-tests-only-0123456789',
    AUDIT_SIGNING_KEYS: AUDIT_SIGNING_KEY,
    WEBHOOK_ENCRYPTION_KEYS: WEBHOOK_ENCRYPTION_KEY,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    OAUTH_REGISTRATION: 'true',
    PLAN_CHANGES: 'owner',
    SIGN_UPS_PER_HOUR: '1000000',
    DRAIN_DELAY_MS: '0',
    MIGRATE_ON_START: 'true',
    SCAN_TIMEOUT_MS: LONG_TIMEOUT_MS,
  };
}

/** Returns the environment of one service of a stack, with its own database and its own identity. */
export function serviceEnvironment(env: Env, service: ServiceName): Env {
  return {
    ...env,
    MONGODB_DATABASE: env['MONGODB_DATABASE'] ?? `${env['NATS_PREFIX']}_${service}`,
    IDENTITY_PRIVATE_KEYS: env[identityPrivateKeysOf(service)],
  };
}

export function streamOf(env: Env) {
  return eventStream(String(env['NATS_PREFIX']));
}
