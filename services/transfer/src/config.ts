import {
  databaseEnvironment,
  readEnvironment,
  urlVariables,
  wholeNumber,
} from '@waymark/service-kit/process';

export const environment = {
  ...databaseEnvironment('transfer'),
  ...urlVariables('decisions', 'workflows', 'threads'),
  IMPORT_SWEEP_MS: wholeNumber(5_000, 10).describe(
    'How often a replica looks for imports that no replica is working on.',
  ),
  IMPORT_LEASE_MS: wholeNumber(20_000, 1_000).describe(
    'How long an import or an upload stays claimed by a replica that no longer renews the claim.',
  ),
};

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);
