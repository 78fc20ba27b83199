import { limits } from '@waymark/contracts';
import type { AccountsContext } from '../context.ts';
import type { Mail } from '../store/mails.ts';

export interface MailText {
  subject: string;
  text: string;
}

const MINUTE_SECONDS = 60;

/** Writes the mail at the time of sending; null when nobody needs it any more. */
export function textOf(service: AccountsContext, mail: Mail): Promise<MailText | null> {
  return resetText(service, mail.to);
}

/** The answer to the request was the same for an unknown address: only here is the account looked up. */
async function resetText({ config, resetTokens, store }: AccountsContext, email: string) {
  const user = await store.users.byEmail(email);
  if (!user) return null;
  const subject = 'Your password of Waymark';
  if (user.password_hash === null) {
    const way = config.oidc ? `Sign in with ${config.oidc.name} instead:` : 'Sign in as before:';
    const text = paragraphs(
      'Somebody asked for a new password of your account. The account has none.',
      `${way}\n${config.publicUrl}/sign-in`,
    );
    return { subject, text };
  }
  // Behind "#", because browsers do not send that part to servers: no log contains the token.
  const link = `${config.publicUrl}/reset-password#${await resetTokens.sign(user)}`;
  const minutes = limits.passwordResetSeconds / MINUTE_SECONDS;
  const text = paragraphs(
    `Somebody, probably you, asked for a new password of your account at ${config.publicUrl}.`,
    `To choose one, open this link within ${minutes} minutes. It works once:\n${link}`,
    'If it was not you, do nothing: your password stays as it is.',
  );
  return { subject, text };
}

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`;
