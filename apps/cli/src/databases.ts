import type { StoringService } from '@waymark/contracts';
import { createLogger, readEnvironment } from '@waymark/service-kit/process';
import { type Database, openDatabase } from '@waymark/service-kit/store';
import { z } from 'zod';

/**
 * The environment of one service, out of that of all: `DECISIONS_MONGODB_URL` and `DECISIONS_MONGODB_DATABASE` for decisions,
 * else `MONGODB_URL` and the service's own default name. Throws EnvironmentError.
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
  };
}

/** Opens the database of a service without looking at its schema. Throws EnvironmentError. */
export function openDatabaseOf(service: StoringService, env: Record<string, string | undefined>): Database {
  const mongodb = z.string({ error: `missing, and ${service.toUpperCase()}_MONGODB_URL as well` });
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
