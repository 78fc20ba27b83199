import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit';

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(
    {
      ...databaseEnvironment('threads'),
      /** Asked for the workspace of a node. */
      WORKFLOWS_URL: serviceUrl('workflows'),
    },
    env,
  );
}
