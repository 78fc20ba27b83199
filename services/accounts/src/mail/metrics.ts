import type { Metrics } from '@waymark/service-kit/process';
import { Counter, Gauge } from 'prom-client';
import type { AccountsContext } from '../context.ts';

export type MailMetrics = ReturnType<typeof createMailMetrics>;

export function createMailMetrics({ registry }: Metrics, { config, now, store }: AccountsContext) {
  const registers = [registry];
  const oldest = new Gauge({
    name: 'waymark_mail_oldest_waiting_seconds',
    help: 'How long the oldest unsent mail has waited, the same on every replica; 0 without one, absent where no mail is sent and while MongoDB is down',
    registers,
    async collect() {
      this.remove();
      if (!config.mail) return;
      const queuedAt = await store.mails.oldest().catch(() => undefined);
      if (queuedAt !== undefined) this.set(queuedAt === null ? 0 : (now() - Date.parse(queuedAt)) / 1000);
    },
  });
  oldest.remove();
  return {
    mails: new Counter({
      name: 'waymark_mails_total',
      help: 'Attempts to send a mail, by result; dropped: no longer wanted, or to an address without an account',
      labelNames: ['kind', 'result'],
      registers,
    }),
  };
}
