import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit/process';

export const environment = {
  ...databaseEnvironment('threads'),
  /** The service that knows the workspace of a node. */
  WORKFLOWS_URL: serviceUrl('workflows'),
};

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}
