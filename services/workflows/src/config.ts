import { databaseEnvironment, readEnvironment } from '@waymark/service-kit';

export const environment = databaseEnvironment('workflows');

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}
