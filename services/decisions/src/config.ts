import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { z } from 'zod';

export const environment = {
  ...databaseEnvironment('decisions'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:8080')
    .describe('Where calendar programs find the product.'),
};

export const readConfig = (env: Record<string, string | undefined>) => readEnvironment(environment, env);
