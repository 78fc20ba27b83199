import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit/process';

export const environment = {
  ...databaseEnvironment('notifications'),
  DECISIONS_URL: serviceUrl('decisions'),
  WORKFLOWS_URL: serviceUrl('workflows'),
};

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);
