import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit/process';
import { z } from 'zod';

const milliseconds = (least: number, initial: number) => z.coerce.number().int().min(least).default(initial);

export const environment = {
  ...databaseEnvironment('transfer'),
  DECISIONS_URL: serviceUrl('decisions'),
  WORKFLOWS_URL: serviceUrl('workflows'),
  THREADS_URL: serviceUrl('threads'),
  IMPORT_SWEEP_MS: milliseconds(10, 5_000).describe(
    'How often a replica looks for imports that no replica is working on.',
  ),
  IMPORT_LEASE_MS: milliseconds(1_000, 20_000).describe(
    'How long an import or an upload stays claimed by a replica that no longer renews the claim.',
  ),
};

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}
