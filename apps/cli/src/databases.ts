import type { ServiceName, StoringService } from '@waymark/contracts';
import { createLogger, readEnvironment } from '@waymark/service-kit/process';
import { type Database, openDatabase } from '@waymark/service-kit/store';
import { z } from 'zod';

/** The gateway listens on these; a service beside it needs its own. */
const GATEWAY_OWN = ['PORT', 'ADMIN_PORT'];

/**
 * Returns the environment of one service, derived from the environment of all: decisions reads
 * `DECISIONS_LOG_LEVEL`, or else `LOG_LEVEL`. MONGODB_DATABASE without the name of a service is ignored.
 */
export function environmentOf(
  service: ServiceName,
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const prefix = `${service.toUpperCase()}_`;
  const given = Object.entries(env).filter(([, value]) => value);
  const shared = given.filter(([name]) => service === 'gateway' || !GATEWAY_OWN.includes(name));
  const own = given.filter(([name]) => name.startsWith(prefix));
  return {
    ...Object.fromEntries(shared),
    MONGODB_DATABASE: `waymark_${service}`,
    ...Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])),
  };
}

/**
 * The environment of a service for a command, which prints its log only if LOG_LEVEL is set, and at NATS is
 * the user of operators: that of a service may make no consumer anew.
 */
export const quietEnvironmentOf = (service: ServiceName, env: Record<string, string | undefined>) => ({
  ...environmentOf(service, env),
  ...(env['NATS_URL'] && { NATS_URL: env['NATS_URL'] }),
  LOG_LEVEL: env['LOG_LEVEL'] || 'silent',
});

/** Closes a connection after `work` has used it. */
export async function closing<Opened extends { close(): Promise<unknown> }, T>(
  opening: Opened | Promise<Opened>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await opening;
  return work(opened).finally(() => opened.close());
}

/** Opens the database of a service without checking its schema. Throws EnvironmentError. */
export function openDatabaseOf(service: StoringService, env: Record<string, string | undefined>): Database {
  const mongodb = z.string({
    error: `missing, and so is ${service.toUpperCase()}_MONGODB_URL; in a checkout, run npm start first`,
  });
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
