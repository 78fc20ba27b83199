import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { rich } from './format.ts';

/** The pages for users who are not signed in. */
export const authTexts = defineTexts('auth', {
  about: 'Where teams write down what they decide, and learn from what came of it.',
  toConsole: 'To the console',
  linkExpired: 'This link is no longer valid',
  emailTaken: 'This address has an account',

  signIn: {
    forgot: 'Forgot password?',
    newHere: (link: ReactNode) => rich`New here? ${link}`,
    create: 'Create an account',
    invite: 'New here? Ask a user of this installation for an invitation.',
    closed: 'New here? Ask the operator of this installation for an account.',
  },
  sso: {
    signIn: (provider: string) => `Sign in with ${provider}`,
    or: 'or',
    failed: 'Single sign-on did not work',
    errors: {
      expired: 'The sign-in expired or started in another browser. Try again.',
      refused: 'The identity provider refused the sign-in.',
      email: 'The identity provider did not confirm your e-mail address.',
      domain: 'Addresses of your domain cannot sign in here.',
      closed: 'You have no account here. Ask for an invitation.',
      password: 'You already have an account. Sign in with its password once to link both.',
      unavailable: 'The identity provider does not respond. Try again later.',
    },
  },
  signUp: {
    title: 'Create your account',
    name: 'Your name',
    act: 'Create account',
    known: (link: ReactNode) => rich`Already have an account? ${link}`,
    invite:
      'Sign-up needs an invitation. Ask a user of this installation; the invitation is a link that opens here.',
    closed: 'Sign-up is closed. Ask the operator of this installation for an account.',
  },
  join: {
    title: 'Join a workspace',
    incomplete: 'This address is incomplete: an invitation ends with # and a code. Open the whole link.',
    gone: 'This invitation is no longer valid: it was used or revoked, or is older than seven days. Ask for another one.',
    invited: (by: string, workspace: ReactNode, role: string) =>
      rich`${by} invites you to ${workspace} as ${role}.`,
    signedIn: (email: string) => `You are signed in as ${email}.`,
    act: 'Join',
    closed: 'This installation does not create accounts by invitation. Sign in with your account.',
    create: 'Create an account instead',
    known: 'I have an account',
  },
  forgot: {
    title: 'Forgot password',
    operator:
      'This installation sends no e-mail. Ask its operator for a new password. The operator’s command:',
    hint: 'We send a link with which you choose a new password',
    act: 'Send the link',
    sent: (email: string) =>
      `If ${email} has an account here, a mail with a link is on its way. The link works once, within 30 minutes.`,
  },
  reset: {
    title: 'Choose a new password',
    another: 'Ask for another link',
    password: 'New password',
    hint: 'At least 10 characters; ends all sessions, passkeys, calendar feeds and the access of programs',
    act: 'Change password',
    done: (link: ReactNode) =>
      rich`Your password is changed, and every session and passkey has ended. ${link} with the new one.`,
    /** The link of `done`. */
    signIn: 'Sign in',
  },
  confirm: {
    title: 'Confirm your e-mail address',
    hint: 'You sign in with the address to which this link was sent, instead of the previous one.',
    act: 'Use this address',
    done: 'Your address is changed. Sign in with it from now on.',
  },
  unsubscribe: {
    title: 'Fewer mails',
    hint: 'You then get no more mails like the one with this link. The inbox still tells you, and the settings of your account bring the mails back.',
    act: 'Unsubscribe',
    done: 'You get no more such mails.',
  },
});
