import type { StoringService } from '@waymark/contracts';
import { createLogger, identityPrivateKeysOf, readEnvironment } from '@waymark/service-kit/process';
import { type Database, openDatabase } from '@waymark/service-kit/store';
import { z } from 'zod';

/**
 * The environment of one service, derived from the environment of all: for decisions it uses
 * `DECISIONS_IDENTITY_PRIVATE_KEYS`, `DECISIONS_MONGODB_URL` and `DECISIONS_MONGODB_DATABASE`, or else the
 * names without the service, and the default name of its database.
 */
export function environmentOf(
  service: StoringService,
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const own = `${service.toUpperCase()}_MONGODB`;
  const { MONGODB_DATABASE: _one, ...shared } = env;
  return {
    ...shared,
    MONGODB_URL: env[`${own}_URL`] || env['MONGODB_URL'],
    MONGODB_DATABASE: env[`${own}_DATABASE`] || `waymark_${service}`,
    IDENTITY_PRIVATE_KEYS: env[identityPrivateKeysOf(service)] || env['IDENTITY_PRIVATE_KEYS'],
  };
}

/** Opens the database of a service without checking its schema. Throws EnvironmentError. */
export function openDatabaseOf(service: StoringService, env: Record<string, string | undefined>): Database {
  const mongodb = z.string({ error: `missing, and so is ${service.toUpperCase()}_MONGODB_URL` });
  const own = readEnvironment(
    { MONGODB_URL: mongodb, MONGODB_DATABASE: z.string() },
    environmentOf(service, env),
  );
  const log = createLogger('cli', 'silent');
  return openDatabase({
    url: own.mongodbUrl,
    name: own.mongodbDatabase,
    prepare: async () => undefined,
    log,
  });
}
