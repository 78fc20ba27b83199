import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { startAccounts } from '@waymark/accounts';
import { startAudit } from '@waymark/audit';
import { type StoringService, storingServices } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { startNotifications } from '@waymark/notifications';
import { startSearch } from '@waymark/search';
import { once, type RunningService, runMain } from '@waymark/service-kit/process';
import { startThreads } from '@waymark/threads';
import { startTransfer } from '@waymark/transfer';
import { startWebhooks } from '@waymark/webhooks';
import { startWorkflows } from '@waymark/workflows';
import { environmentOf } from '../databases.ts';

type Environment = Record<string, string | undefined>;
type Start = (env: Environment) => Promise<RunningService>;

/** How each service with a database is started. */
export const starts: Record<StoringService, Start> = {
  accounts: startAccounts,
  decisions: startDecisions,
  workflows: startWorkflows,
  threads: startThreads,
  search: startSearch,
  audit: startAudit,
  webhooks: startWebhooks,
  transfer: startTransfer,
  notifications: startNotifications,
};
const RETRY_MS = 5_000;

/** Runs until SIGTERM or SIGINT, like the process of one service. */
export const runAll = () => runMain(startAll);

/** Starts every service in this process, the gateway last. They call each other over HTTP. */
async function startAll(env: Environment): Promise<RunningService> {
  // Only the gateway has clients, which need time to notice that it stops.
  const environment = (name: StoringService) => ({ ...environmentOf(name, env), DRAIN_DELAY_MS: '0' });
  const kept = await Promise.all(storingServices.map((name) => keepStarted(starts[name], environment(name))));
  // A pod that would replace this one must not, while its migration is pending.
  const accepted = Promise.all(kept.map((service) => service.accepted)).then(() => undefined);
  const gateway = await startGateway(environmentOf('gateway', env), {}, accepted);
  return {
    ...gateway,
    stop: once(async () => {
      await gateway.stop();
      await Promise.all(kept.map((service) => service.stop()));
    }),
  };
}

/**
 * Starts a service, and starts it again while its database cannot be made ready; the others keep serving.
 * `accepted` resolves when its database does not refuse it; a database that is away has not refused it yet.
 */
async function keepStarted(
  start: Start,
  env: Environment,
): Promise<{ accepted: Promise<void>; stop: () => Promise<void> }> {
  const stopping = new AbortController();
  const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
  let running = await start(env);
  async function untilReady(): Promise<void> {
    while (true) {
      // A service has tried its database once when it has started.
      if (await Promise.race([isReady(running), nextTurn(true)])) accept();
      if (await isReady(running)) return;
      await running.stop();
      await delay(RETRY_MS, undefined, { signal: stopping.signal });
      running = await start(env);
    }
  }
  const kept = untilReady().catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    accepted,
    async stop() {
      stopping.abort();
      await running.stop();
      await kept;
    },
  };
}

/** The service has logged why it is not ready. */
const isReady = ({ ready }: RunningService) =>
  ready.then(
    () => true,
    () => false,
  );
