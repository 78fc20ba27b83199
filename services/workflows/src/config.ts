import { databaseEnvironment, readEnvironment } from '@waymark/service-kit';

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(databaseEnvironment('workflows'), env);
}
