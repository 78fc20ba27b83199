import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';

export const environment = databaseEnvironment('workflows');

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}
