import { startAccounts } from '@waymark/accounts';
import { startAudit } from '@waymark/audit';
import type { ServiceName } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { startNotifications } from '@waymark/notifications';
import { startSearch } from '@waymark/search';
import type { Seams } from '@waymark/service-kit/runtime';
import { type EnvOf, type Stack, type Start, startStack } from '@waymark/testing';
import { startThreads } from '@waymark/threads';
import { startTransfer } from '@waymark/transfer';
import { startWebhooks } from '@waymark/webhooks';
import { startWorkflows } from '@waymark/workflows';

/** The whole product in this process, on real stores. `own` starts the services that a test changes. */
export function startProduct(
  env: EnvOf = {},
  seams: Seams = {},
  own: Partial<Record<ServiceName, Start>> = {},
): Promise<Stack> {
  const services = {
    accounts: startAccounts,
    decisions: startDecisions,
    workflows: startWorkflows,
    threads: startThreads,
    search: startSearch,
    audit: startAudit,
    webhooks: startWebhooks,
    transfer: startTransfer,
    notifications: startNotifications,
    gateway: startGateway,
    ...own,
  };
  return startStack(services, { env, seams });
}
