import { ApiError, limits } from '@waymark/contracts';
import { type AccountsContext, timestamp } from '../context.ts';
import { findInvitation, invitationLink } from '../invitations/redeem-invitation.ts';
import type { Mail } from '../store/mails.ts';
import { recipientsOf } from './expiring-keys.ts';

export interface MailText {
  subject: string;
  text: string;
}

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Writes the mail at the time of sending; null when nobody needs it any more. */
export function textOf(service: AccountsContext, mail: Mail): Promise<MailText | null> {
  switch (mail.kind) {
    case 'invitation':
      return invitationText(service, mail.invitation_id);
    case 'email_change':
      return confirmationText(service, mail);
    case 'email_changed':
      return Promise.resolve(changedText(service));
    case 'key_expiry':
      return keyExpiryText(service, mail);
    case 'passkey_added':
      return Promise.resolve(passkeyText(service));
    case 'totp_added':
      return Promise.resolve(totpAddedText(service));
    case 'totp_removed':
      return Promise.resolve(totpRemovedText(service));
    case 'password_reset':
      return resetText(service, mail.to);
  }
}

async function invitationText(service: AccountsContext, id: string): Promise<MailText | null> {
  const { config, invitationTokens, store } = service;
  const known = await store.invitations.byId(id);
  const token = known?.mail === 'waiting' ? invitationTokens.find(id, known.token_hash) : null;
  const found = known && token && (await openInvitation(service, known.token_hash));
  const workspace = found && (await store.workspaces.byId(known.workspace_id));
  if (!workspace) return null;
  const days = limits.invitationSeconds / DAY_SECONDS;
  const link = invitationLink(config, token!);
  const text = paragraphs(
    `${oneLine(found.inviter.name)} invites you to the workspace "${oneLine(workspace.name)}" on Waymark.`,
    `To join, open this link within ${days} days of the invitation. It works once:\n${link}`,
    'If you do not expect this, do nothing.',
  );
  return { subject: `Invitation to "${oneLine(workspace.name)}" on Waymark`, text };
}

/** Null when it was accepted, revoked or has expired, or when the inviter may no longer invite. */
const openInvitation = (service: AccountsContext, tokenHash: string) =>
  findInvitation(service, tokenHash).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });

/** Null when the key has ended or was replaced meanwhile, or the address is not one to tell any more. */
async function keyExpiryText(
  service: AccountsContext,
  { key_id, to }: { key_id: string; to: string },
): Promise<MailText | null> {
  const { config, store } = service;
  const key = await store.apiKeys.byId(key_id);
  if (!key || key.revoked_at !== null || key.rotated_to !== null) return null;
  if (key.expires_at === null || key.expires_at <= timestamp(service)) return null;
  const recipient = (await recipientsOf(service, key)).find(({ email }) => email === to);
  const workspace = recipient && (await store.workspaces.byId(key.workspace_id));
  if (!workspace) return null;
  const [day, time] = key.expires_at.split('T') as [string, string];
  const name = `"${oneLine(key.name)}" (${key.key_prefix}…)`;
  const text = paragraphs(
    `The API key ${name} of the workspace "${oneLine(workspace.name)}" expires on ${day} at ${time.slice(0, 5)} UTC.`,
    `What uses it stops working then. An admin can replace it here:\n${config.publicUrl}/w/${workspace.id}/settings/api-keys`,
  );
  return { subject: `An API key of "${oneLine(workspace.name)}" expires soon`, text };
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
  const minutes = limits.mailedLinkSeconds / MINUTE_SECONDS;
  const text = paragraphs(
    `Somebody, probably you, asked at ${config.publicUrl} for a new password of your account.`,
    `To choose one, open this link within ${minutes} minutes. It works once:\n${link}`,
    'If it was not you, do nothing: your password stays as it is.',
  );
  return { subject, text };
}

/** To the new address; the answer to the request did not say whether it has an account. */
async function confirmationText(
  { config, emailTokens, store }: AccountsContext,
  { to, user_id, password_changed_at }: { to: string; user_id: string; password_changed_at: string | null },
): Promise<MailText | null> {
  const user = await store.users.byId(user_id);
  // Whoever changed the password since may not be the one who asked with the old one.
  if (user?.password_changed_at !== password_changed_at) return null;
  const subject = 'Your address of Waymark';
  if (await store.users.byEmail(to)) {
    const text = paragraphs(
      `Somebody asked at ${config.publicUrl} to use this address for another account. It has an account already.`,
      'If it was you, sign in with this address. If not, do nothing.',
    );
    return { subject, text };
  }
  const link = `${config.publicUrl}/confirm-email#${await emailTokens.sign(user, to)}`;
  const minutes = limits.mailedLinkSeconds / MINUTE_SECONDS;
  const text = paragraphs(
    `${oneLine(user.name)} asked at ${config.publicUrl} to sign in with this address.`,
    `To confirm it, open this link within ${minutes} minutes. It works once:\n${link}`,
    'If it was not you, do nothing.',
  );
  return { subject, text };
}

/** To the old address. */
function changedText({ config }: AccountsContext): MailText {
  const text = paragraphs(
    `Your account at ${config.publicUrl} has another e-mail address now.`,
    'If it was not you, somebody knows your password: ask the operator of this installation at once.',
  );
  return { subject: 'Your address of Waymark was changed', text };
}

function passkeyText({ config }: AccountsContext): MailText {
  const text = paragraphs(
    `A passkey was added to your account at ${config.publicUrl}: whoever has it can sign in.`,
    `If it was not you, somebody knows your password. A new one removes all passkeys:\n${config.publicUrl}/forgot-password`,
  );
  return { subject: 'A new passkey of Waymark', text };
}

function totpAddedText({ config }: AccountsContext): MailText {
  const text = paragraphs(
    `An authenticator app was added to your account at ${config.publicUrl}: your password now signs in with its codes only.`,
    'If it was not you, somebody knows your password: ask the operator of this installation at once.',
  );
  return { subject: 'An authenticator app for Waymark', text };
}

function totpRemovedText({ config }: AccountsContext): MailText {
  const text = paragraphs(
    `The authenticator app of your account at ${config.publicUrl} was removed: your password signs in without a code.`,
    `If it was not you, somebody knows your password. Choose a new one:\n${config.publicUrl}/forgot-password`,
  );
  return { subject: 'The authenticator app of Waymark was removed', text };
}

/**
 * A name with line breaks could pretend to be the rest of the mail, one with hidden characters another name.
 * A space behind each dot and colon keeps mail programs from making a link of a name.
 */
const oneLine = (name: string) =>
  name
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}]/gu, '')
    .replace(/[.:\u3002\uff0e\uff61](?=\S)/g, '$& ');

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`;
