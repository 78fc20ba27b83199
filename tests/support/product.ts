import { startAccounts } from '@waymark/accounts';
import { startAudit } from '@waymark/audit';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { startSearch } from '@waymark/search';
import type { Seams } from '@waymark/service-kit/runtime';
import { type EnvOf, type Stack, startStack } from '@waymark/testing';
import { startThreads } from '@waymark/threads';
import { startTransfer } from '@waymark/transfer';
import { startWebhooks } from '@waymark/webhooks';
import { startWorkflows } from '@waymark/workflows';

/** The whole product in this process, on real stores. */
export function startProduct(env: EnvOf = {}, seams: Seams = {}): Promise<Stack> {
  const services = {
    accounts: startAccounts,
    decisions: startDecisions,
    workflows: startWorkflows,
    threads: startThreads,
    search: startSearch,
    audit: startAudit,
    webhooks: startWebhooks,
    transfer: startTransfer,
    gateway: startGateway,
  };
  return startStack(services, { env, seams });
}
