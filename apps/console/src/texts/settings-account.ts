import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { plural, rich } from './format.ts';

/** The account of the user: name, sessions, passkeys, address and password. */
export const settingsAccountTexts = defineTexts('settingsAccount', {
  title: 'Account',
  yourPassword: 'Your password',

  name: {
    change: 'Change name',
    hint: 'Your workspaces show it, and record the change in their audit logs.',
    changed: (name: string) => `Your name is ${name} now.`,
  },

  language: {
    everywhere: 'Console and e-mail',
    mails: 'E-mail only',
    hint: 'The console changes in this browser, e-mail to you everywhere.',
  },

  mailRefused: 'The mail server refused the last mail to this address.',
  mail: {
    title: 'Notifications by e-mail',
    none: 'This installation sends no e-mail. The inbox tells you of everything.',
    hint: 'Only what you have not read is mailed. More than 20 mails in an hour wait for the daily one.',
    change: 'Save notifications',
    changed: 'You get e-mail as you have chosen.',
    timeZone: 'Time zone of the daily mail, at 8:00',
    when: { atOnce: 'At once', daily: 'In the daily mail', never: 'Never' },
    kinds: {
      mention: 'Mentions of you',
      assignment: 'Nodes and decisions that name you',
      approval_requested: 'Requests for your approval',
      approval_voided: 'Changes of a text after your verdict',
      reply: 'Messages in your discussions',
      outcome_overdue: 'Outcomes that are due',
      review_due: 'Reviews that are due',
      key_expiring: 'API keys that expire soon',
      change: 'Changes of what you watch',
      import_finished: 'Your imports that have ended',
      endpoint_failing: 'Failing webhook endpoints',
      endpoint_disabled: 'Disabled webhook endpoints',
    },
  },

  sessions: {
    title: 'Sessions',
    columns: ['Browser', 'Address', 'Last seen', 'Actions'],
    unknownBrowser: 'Unknown',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknownAddress: 'unknown',
    current: 'This one',
    end: 'Sign out',
    endOf: (browser: string) => `Sign out ${browser}`,
    askEnd: (browser: string) => `Sign out ${browser}?`,
    endHint: 'Unsaved input in that browser is lost.',
    hint: 'Signing out ends a session at once, on whichever device it is.',
    ended: 'That session has ended.',
  },

  grants: {
    title: 'Connected programs',
    columns: ['Program', 'Workspace', 'May', 'Last used', 'Actions'],
    end: 'Disconnect',
    endOf: (name: string) => `Disconnect ${name}`,
    askEnd: (name: string) => `Disconnect ${name}?`,
    endHint: 'The program has no access from then on, until you allow it again.',
    hint: 'Programs that you let use Waymark in your name through the MCP server. Disconnecting works at once.',
    ended: 'That program is disconnected.',
    none: 'No program is connected.',
  },

  app: {
    title: 'Authenticator app',
    hint: 'Your password then signs in with a code of the app only. All other sessions end.',
    noPassword: 'Single sign-on asks for no code here. Set a password first to add an app.',
    added: (when: ReactNode) => rich`Your password signs in with a code of the app that you added ${when}.`,
    left: (codes: number) =>
      plural(codes, { one: '# recovery code is left.', other: '# recovery codes are left.' }),
    add: 'Add the app',
    renew: 'New recovery codes',
    remove: 'Remove the app',
    removeHint: 'Without the app, your password signs in alone. All other sessions end.',
    removed: 'Your password signs in without a code now.',
    setUp: 'Set up an authenticator app',
    scan: 'Scan this picture with the app.',
    confirm: 'Enter the code that the app shows.',
    qrCode: 'QR code for the app',
    type: 'Or type this into the app:',
    secret: 'Secret for the app',
    code: 'Code of the app',
    codes: 'Recovery codes',
    codesHint:
      'Each signs you in once instead of a code, if you lose the app. Keep them where the app is not.',
    download: 'Download as a file',
  },

  passkeys: {
    title: 'Passkeys',
    hint: 'Sign in with the fingerprint, face or PIN of your device, or with a security key, instead of your password.',
    columns: ['Name', 'Added', 'Last used', 'Actions'],
    synced: 'Also on your other devices',
    unsupported: 'This browser has no passkeys.',
    new: 'New passkey',
    name: 'Name of the passkey',
    nameHint: 'To tell it from others in this list',
    add: 'Add a passkey',
    added: (name: string) => `You can sign in with the passkey ${name} now.`,
    actOn: { rename: (name: string) => `Rename ${name}`, remove: (name: string) => `Remove ${name}` },
    askRename: 'Rename the passkey',
    askRemove: (name: string) => `Remove ${name}?`,
    removeHint: 'It no longer signs you in. Your device keeps it until you delete it there, too.',
    renamed: 'The passkey has its new name.',
    removed: (name: string) => `The passkey ${name} no longer signs you in.`,
  },

  email: {
    change: 'Change e-mail address',
    new: 'New address',
    hint: 'We send it a link that confirms it, and tell the old one.',
    send: 'Send the link',
    sent: (email: string) =>
      `Open the link that we sent to ${email} within 30 minutes. Until then, your address stays as it is.`,
  },

  password: {
    change: 'Change password',
    changed: 'Your password is changed; every other session and your calendar feeds have ended.',
    set: 'Set a password',
    wasSet: 'Your password is set; every other session and your calendar feeds have ended.',
    current: 'Current password',
    new: 'New password',
    newHint:
      'At least 10 characters; ends all other sessions, your calendar feeds and the access of programs.',
    signInAgain: 'sign in again',
    singleSignOn: (signInAgain: ReactNode) =>
      rich`You sign in with single sign-on. With a password, you can sign in without it. Set one within ten minutes of signing in; after that, ${signInAgain} first.`,
  },
});
