import { type Metrics, secondsSince } from '@waymark/service-kit/process';
import { type AccountsContext, timestamp } from '../context.ts';
import type { Mail } from '../store/mails.ts';
import { expiringKeys } from './expiring-keys.ts';
import { textOf } from './mail-texts.ts';
import { MailError, smtpSender } from './smtp.ts';

const MINUTE_MS = 60_000;
/** The pauses after the failed attempts of a mail; the last one repeats. */
const RETRY_DELAYS_MS = [10_000, 30_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];

/** Returns a function that queues and sends the mails that are due, one after another. */
export function mailQueue(service: AccountsContext, { counter, watchMailOldest }: Metrics) {
  const { config, log, now, store } = service;
  const send = config.mail && smtpSender(config.mail);
  const queueExpiringKeys = expiringKeys(service);
  const results = counter(
    'waymark_mails_total',
    'Attempts to send a mail, by result; dropped: no longer wanted, or to an address without an account',
    'kind',
    'result',
  );
  watchMailOldest(async () => (config.mail ? secondsSince(await store.mails.oldest(), now()) : undefined));

  async function sendOne(mail: Mail, send: ReturnType<typeof smtpSender>): Promise<void> {
    const text = await textOf(service, mail);
    if (text) {
      await send({ id: mail._id, to: mail.to, ...text });
      await note(mail, 'sent');
    }
    await store.mails.remove(mail);
    results.inc({ kind: mail.kind, result: text ? 'sent' : 'dropped' });
  }

  /** Records the result where admins see it. */
  async function note(mail: Mail, result: 'sent' | 'refused'): Promise<void> {
    if (mail.kind === 'invitation') await store.invitations.noteMail(mail.invitation_id, result);
    await store.users.noteMail(mail.to, result === 'refused' ? timestamp(service) : null);
  }

  /** Returns whether the next mail may succeed. */
  async function settleFailure(mail: Mail, error: unknown): Promise<boolean> {
    const { _id: mail_id, kind, attempts } = mail;
    const failure = error instanceof MailError ? error : null;
    if (failure?.isRefusal) {
      log.warn({ mail_id, kind, smtp_error: failure.message }, 'the mail server refused a mail for good');
      await note(mail, 'refused');
      await store.mails.remove(mail);
      results.inc({ kind, result: 'refused' });
      return true;
    }
    const context = failure ? { smtp_error: failure.message } : { err: error };
    log.warn({ mail_id, kind, attempts, ...context }, 'mail not sent; trying again later');
    const delayMs = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1]!;
    await store.mails.postpone(mail, timestamp(service, now() + delayMs));
    results.inc({ kind, result: 'retried' });
    // A mail that cannot be written now, such as one of notifications, holds up no other.
    return failure?.isOfMail ?? true;
  }

  return async (stopping: AbortSignal): Promise<void> => {
    await queueExpiringKeys(stopping);
    while (send && !stopping.aborted) {
      const mail = await store.mails.claim(timestamp(service));
      if (!mail) return;
      const mayContinue = await sendOne(mail, send).then(
        () => true,
        (error: unknown) => settleFailure(mail, error),
      );
      if (!mayContinue) return;
    }
  };
}
