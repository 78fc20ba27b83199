import type { ServiceName } from '@waymark/contracts';
import type { z } from 'zod';
import { environment as accounts } from '../services/accounts/src/config.ts';
import { environment as audit } from '../services/audit/src/config.ts';
import { environment as decisions } from '../services/decisions/src/config.ts';
import { environment as gateway } from '../services/gateway/src/config.ts';
import { environment as notifications } from '../services/notifications/src/config.ts';
import { environment as search } from '../services/search/src/config.ts';
import { environment as threads } from '../services/threads/src/config.ts';
import { environment as transfer } from '../services/transfer/src/config.ts';
import { environment as webhooks } from '../services/webhooks/src/config.ts';
import { environment as workflows } from '../services/workflows/src/config.ts';

export type Environment = Record<string, z.ZodType>;

/** The variables that each service reads, with their schemas. */
export const environments: Record<ServiceName, Environment> = {
  gateway,
  accounts,
  decisions,
  workflows,
  threads,
  search,
  audit,
  webhooks,
  transfer,
  notifications,
};
