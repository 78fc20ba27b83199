import { databaseEnvironment, readEnvironment, urlVariables } from '@waymark/service-kit/process';

export const environment = {
  ...databaseEnvironment('notifications'),
  ...urlVariables('decisions', 'workflows', 'threads'),
};

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);
