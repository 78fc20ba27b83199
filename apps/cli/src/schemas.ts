import { schema as accounts } from '@waymark/accounts/schema';
import { schema as audit } from '@waymark/audit/schema';
import type { StoringService } from '@waymark/contracts';
import { schema as decisions } from '@waymark/decisions/schema';
import { schema as notifications } from '@waymark/notifications/schema';
import { schema as search } from '@waymark/search/schema';
import type { Schema } from '@waymark/service-kit/store';
import { schema as threads } from '@waymark/threads/schema';
import { schema as transfer } from '@waymark/transfer/schema';
import { schema as webhooks } from '@waymark/webhooks/schema';
import { schema as workflows } from '@waymark/workflows/schema';

/** The database schema of each service. */
export const schemas: Record<StoringService, Schema> = {
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
