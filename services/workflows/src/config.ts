import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';

export const environment = databaseEnvironment('workflows');

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);
