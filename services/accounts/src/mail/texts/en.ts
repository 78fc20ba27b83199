import type { MailContent } from '../render.ts';

/** The mails in English. Names are clean already (`oneLine`). */
export const en = {
  invitation: (of: { inviter: string; workspace: string; days: number; link: string }): MailContent => ({
    subject: `Invitation to "${of.workspace}" on Waymark`,
    paragraphs: [
      `${of.inviter} invites you to the workspace "${of.workspace}" on Waymark.`,
      {
        text: `To join, open this link within ${of.days} days of the invitation. It works once:`,
        link: of.link,
      },
      'If you do not expect this, do nothing.',
    ],
  }),

  reset: (of: { url: string; minutes: number; link: string }): MailContent => ({
    subject: 'Your password of Waymark',
    paragraphs: [
      `Somebody, probably you, asked at ${of.url} for a new password of your account.`,
      { text: `To choose one, open this link within ${of.minutes} minutes. It works once:`, link: of.link },
      'If it was not you, do nothing: your password stays as it is.',
    ],
  }),

  noPassword: (of: { provider: string | null; link: string }): MailContent => ({
    subject: 'Your password of Waymark',
    paragraphs: [
      'Somebody asked for a new password of your account. The account has none.',
      { text: of.provider ? `Sign in with ${of.provider} instead:` : 'Sign in as before:', link: of.link },
    ],
  }),

  confirmation: (of: { name: string; url: string; minutes: number; link: string }): MailContent => ({
    subject: 'Your address of Waymark',
    paragraphs: [
      `${of.name} asked at ${of.url} to sign in with this address.`,
      { text: `To confirm it, open this link within ${of.minutes} minutes. It works once:`, link: of.link },
      'If it was not you, do nothing.',
    ],
  }),

  addressTaken: (of: { url: string }): MailContent => ({
    subject: 'Your address of Waymark',
    paragraphs: [
      `Somebody asked at ${of.url} to use this address for another account. It has an account already.`,
      'If it was you, sign in with this address. If not, do nothing.',
    ],
  }),

  email_changed: (of: { url: string }): MailContent => ({
    subject: 'Your address of Waymark was changed',
    paragraphs: [
      `Your account at ${of.url} has another e-mail address now.`,
      'If it was not you, somebody knows your password: ask the operator of this installation at once.',
    ],
  }),

  passkey_added: (of: { url: string; link: string }): MailContent => ({
    subject: 'A new passkey of Waymark',
    paragraphs: [
      `A passkey was added to your account at ${of.url}: whoever has it can sign in.`,
      {
        text: 'If it was not you, somebody knows your password. A new one removes all passkeys:',
        link: of.link,
      },
    ],
  }),

  passkey_removed: (of: { url: string; link: string }): MailContent => ({
    subject: 'A passkey of Waymark was removed',
    paragraphs: [
      `A passkey of your account at ${of.url} was removed.`,
      { text: 'If it was not you, somebody knows your password. Choose a new one:', link: of.link },
    ],
  }),

  password_changed: (of: { url: string; link: string }): MailContent => ({
    subject: 'Your password of Waymark was changed',
    paragraphs: [
      `Your account at ${of.url} has a new password.`,
      { text: 'If it was not you, choose another one. It ends all sessions:', link: of.link },
    ],
  }),

  totp_added: (of: { url: string }): MailContent => ({
    subject: 'An authenticator app for Waymark',
    paragraphs: [
      `An authenticator app was added to your account at ${of.url}: your password now signs in with its codes only.`,
      'If it was not you, somebody knows your password: ask the operator of this installation at once.',
    ],
  }),

  totp_removed: (of: { url: string; link: string }): MailContent => ({
    subject: 'The authenticator app of Waymark was removed',
    paragraphs: [
      `The authenticator app of your account at ${of.url} was removed: your password signs in without a code.`,
      { text: 'If it was not you, somebody knows your password. Choose a new one:', link: of.link },
    ],
  }),

  somebody: 'Somebody',
  dailySubject: (count: string) => `Your day on Waymark: ${count} unread`,
  noTitle: 'Notification',
  keyExpires: (name: string) => `API key “${name}” expires soon`,
  expiresOn: (date: string) => `expires on ${date}`,
  toInbox: 'All that concerns you:',
  more: (count: string) => `And ${count} more in your inbox:`,
  endKind: 'To get no more mails of this kind:',
  endDaily: 'To get no more daily mails:',
  kinds: {
    mention: (who: string) => `${who} mentioned you`,
    reply: (who: string) => `${who} wrote a message`,
    assignment: (who: string) => `${who} assigned you`,
    change: (who: string) => `${who} changed what you watch`,
    approval_requested: (who: string) => `${who} asks for your approval`,
    approval_voided: (who: string) => `${who} changed the text after your verdict`,
    outcome_overdue: (_: string): string => 'The outcome of a decision is due',
    review_due: (_: string): string => 'The review of a decision is due',
    import_finished: (_: string): string => 'Your import has ended',
    key_expiring: (_: string): string => 'An API key expires soon, and what uses it stops working then',
    endpoint_failing: (_: string): string => 'A webhook endpoint is failing',
    endpoint_disabled: (_: string): string => 'A webhook endpoint was disabled',
  },
};

export type MailTexts = typeof en;
