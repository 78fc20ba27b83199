import { type Metrics, secondsSince } from '@waymark/service-kit/process';
import { Counter } from 'prom-client';
import type { AccountsContext } from '../context.ts';

export type MailMetrics = ReturnType<typeof createMailMetrics>;

export function createMailMetrics(
  { registry, watchMailOldest }: Metrics,
  { config, now, store }: AccountsContext,
) {
  const registers = [registry];
  watchMailOldest(async () => {
    if (!config.mail) return undefined;
    return secondsSince(await store.mails.oldest(), now());
  });
  return {
    mails: new Counter({
      name: 'waymark_mails_total',
      help: 'Attempts to send a mail, by result; dropped: no longer wanted, or to an address without an account',
      labelNames: ['kind', 'result'],
      registers,
    }),
  };
}
