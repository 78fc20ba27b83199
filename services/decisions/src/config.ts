import { databaseEnvironment, readEnvironment } from '@waymark/service-kit';
import { z } from 'zod';

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(
    {
      ...databaseEnvironment('decisions'),
      /** Where calendar programs find the product. */
      PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:8080'),
    },
    env,
  );
}
