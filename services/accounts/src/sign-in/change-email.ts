import { invalid } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import { isCurrent } from '../credentials/link-tokens.ts';
import { ownUser, userEvent } from '../users.ts';
import { checkCurrentPassword, type OwnerProof } from './change-password.ts';
import { invalidLink, noMail } from './reset-password.ts';

/**
 * Queues a mail to the new address with a link that confirms it. Throws NOT_FOUND where no mail is sent,
 * VALIDATION_ERROR for a wrong password, RATE_LIMITED.
 */
export async function changeEmail(
  service: AccountsContext,
  ctx: RequestContext,
  input: OwnerProof & { email: string },
): Promise<void> {
  const { config, store, commit, mailLimits, now } = service;
  if (!config.mail) throw noMail('another address');
  const known = await ownUser(service, ctx);
  if (input.email === known.email) throw invalid('email', 'is your address already');
  await checkCurrentPassword(service, ctx, known, input);
  const { id: user_id, password_changed_at } = known;
  await mailLimits.countChange(ctx, user_id, input.email);
  const topic = { kind: 'email_change', user_id, password_changed_at } as const;
  await commit(ctx, ({ session }) => store.mails.insert(topic, input.email, now(), session));
}

/** Makes the confirmed address the user's, and tells the old one. Throws NOT_FOUND, CONFLICT. */
export async function confirmEmail(
  service: AccountsContext,
  ctx: RequestContext,
  token: string,
): Promise<void> {
  const { store, commit, emailTokens, now } = service;
  const link = await emailTokens.verify(token);
  const known = link && (await store.users.byId(link.id));
  if (!known || link.new_email === undefined || !isCurrent(link, known)) throw invalidLink();
  const { id, email: before, password_changed_at, new_email: email } = link;
  await commit(ctx, async (tx) => {
    const user = await store.users.update(id, tx.session, {
      expected: { email: before, password_changed_at },
      set: {
        email,
        // The erasure of the person looks for old addresses in the audit log.
        former_emails: [...known.former_emails, before],
        mail_refused_at: null,
        updated_at: timestamp(service),
      },
    });
    if (!user) throw invalidLink();
    const changes = changesBetween({ email: before }, { email }, ['email']);
    tx.emit('user.email_changed', { ...userEvent(user, { id }), changes });
    await store.mails.insert({ kind: 'email_changed', user_id: id }, before, now(), tx.session);
  });
}
