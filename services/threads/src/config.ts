import { databaseEnvironment, readEnvironment, urlVariables } from '@waymark/service-kit/process';

export const environment = {
  ...databaseEnvironment('threads'),
  ...urlVariables('decisions', 'workflows'),
};

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);
