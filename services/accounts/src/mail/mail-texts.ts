import { ApiError, type Language, limits } from '@waymark/contracts';
import type { AccountsContext } from '../context.ts';
import { findInvitation, invitationLink } from '../invitations/redeem-invitation.ts';
import type { Mail } from '../store/mails.ts';
import { notificationMail } from './notification-mails.ts';
import { type MailContent, oneLine, type RenderedMail, render } from './render.ts';
import { de } from './texts/de.ts';
import { en, type MailTexts } from './texts/en.ts';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

const TEXTS: Record<Language, MailTexts> = { en, de };

/** Writes a mail when it is sent, in the language of its reader; null when nobody needs it any more. */
export async function textOf(service: AccountsContext, mail: Mail): Promise<RenderedMail | null> {
  const language = await languageOf(service, mail);
  const content = await contentOf(service, mail, language);
  return content && render(content, language);
}

/** The language of the user; somebody without an account is written to in that of the inviter. */
async function languageOf({ store }: AccountsContext, mail: Mail): Promise<Language> {
  const user = await ('user_id' in mail ? store.users.byId(mail.user_id) : store.users.byEmail(mail.to));
  if (user || mail.kind !== 'invitation') return user?.language ?? 'en';
  const invitation = await store.invitations.byId(mail.invitation_id);
  return (invitation && (await store.users.byId(invitation.invited_by))?.language) ?? 'en';
}

async function contentOf(
  service: AccountsContext,
  mail: Mail,
  language: Language,
): Promise<MailContent | null> {
  const texts = TEXTS[language];
  const url = service.config.publicUrl;
  switch (mail.kind) {
    case 'invitation':
      return invitation(service, mail.invitation_id, texts);
    case 'email_change':
      return confirmation(service, mail, texts);
    case 'notification':
    case 'daily':
      return notificationMail(service, mail, texts, language);
    case 'password_reset':
      return reset(service, mail.to, texts);
    default:
      // An earlier version may have queued a mail of another kind.
      return texts[mail.kind]?.({ url, link: `${url}/forgot-password` }) ?? null;
  }
}

async function invitation(service: AccountsContext, id: string, texts: MailTexts) {
  const { config, invitationTokens, store } = service;
  const known = await store.invitations.byId(id);
  const token = known?.mail === 'waiting' ? invitationTokens.find(id, known.token_hash) : null;
  const found = known && token && (await openInvitation(service, known.token_hash));
  const workspace = found && (await store.workspaces.byId(known.workspace_id));
  if (!workspace) return null;
  return texts.invitation({
    inviter: oneLine(found.inviter.name),
    workspace: oneLine(workspace.name),
    days: limits.invitationSeconds / DAY_SECONDS,
    link: invitationLink(config, token!),
  });
}

/** Null when it was accepted, revoked or has expired, or when the inviter may no longer invite. */
const openInvitation = (service: AccountsContext, tokenHash: string) =>
  findInvitation(service, tokenHash).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });

/** The answer to the request was the same for an unknown address: only here is the account looked up. */
async function reset({ config, resetTokens, store }: AccountsContext, email: string, texts: MailTexts) {
  const user = await store.users.byEmail(email);
  if (!user) return null;
  const { publicUrl: url, oidc } = config;
  if (user.password_hash === null)
    return texts.noPassword({ provider: oidc?.name ?? null, link: `${url}/sign-in` });
  // Behind "#", because browsers do not send that part to servers: no log contains the token.
  const link = `${url}/reset-password#${await resetTokens.sign(user)}`;
  return texts.reset({ url, minutes: limits.mailedLinkSeconds / MINUTE_SECONDS, link });
}

/** The mail to a new address. The answer to the request did not say whether it has an account. */
async function confirmation(
  { config, emailTokens, store }: AccountsContext,
  { to, user_id, password_changed_at }: { to: string; user_id: string; password_changed_at: string | null },
  texts: MailTexts,
) {
  const user = await store.users.byId(user_id);
  // The password was changed since the request: the person who asked may have known only the old one.
  if (user?.password_changed_at !== password_changed_at) return null;
  const url = config.publicUrl;
  if (await store.users.byEmail(to)) return texts.addressTaken({ url });
  const link = `${url}/confirm-email#${await emailTokens.sign(user, to)}`;
  const minutes = limits.mailedLinkSeconds / MINUTE_SECONDS;
  return texts.confirmation({ name: oneLine(user.name), url, minutes, link });
}
