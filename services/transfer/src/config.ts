import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit';

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(
    {
      ...databaseEnvironment('transfer'),
      /** Each is asked for what it has of a workspace. */
      DECISIONS_URL: serviceUrl('decisions'),
      WORKFLOWS_URL: serviceUrl('workflows'),
      THREADS_URL: serviceUrl('threads'),
    },
    env,
  );
}
