import { defineTexts } from './define-texts.ts';

/** Signing in, and the limits of the user's role and the workspace's plan. */
export const sessionTexts = defineTexts('session', {
  signIn: 'Sign in',
  signInFailed: 'This did not sign you in',
  email: 'E-mail',
  password: 'Password',
  passwordHint: 'At least 10 characters, and not a common password; a few unrelated words work well',

  code: {
    label: 'Code',
    hint: 'From your authenticator app, or a recovery code',
    refused: 'This code did not sign you in',
  },
  secondFactor: {
    title: 'This workspace requires a second factor',
    hint: 'Sign in with a passkey or with a code of your authenticator app. If you have neither, add one in your account; if you have one, sign out and sign in with it.',
    setUp: 'To your account',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    notUsed: 'No passkey was used',
    notCreated: 'No passkey was created',
    known: 'This device has a passkey of your account already.',
    cancelled: 'It was cancelled, took too long, or this device cannot do it. You can try again.',
  },
  expired: {
    title: 'Your session has expired',
    hint: 'Sign in again to continue. Your input is still here.',
    leave: 'Leave this page',
    otherTab: 'Sign in, in another tab',
    done: 'I have signed in',
  },

  /** Titles of pages that need a role. */
  pages: {
    newDecision: 'New decision',
    editDecision: 'Edit decision',
    webhooks: 'Webhooks',
    endpoint: 'Webhook endpoint',
    delivery: 'Delivery',
    apiKeys: 'API keys',
    limits: 'Rate limits',
  },
  role: {
    needed: { member: 'Members, admins and owners can do this', admin: 'Admins and owners can do this' },
    yours: (role: string, workspace: string) =>
      `You are a ${role} of ${workspace}. Its admins and owners can change your role.`,
  },
  plan: {
    needed: (feature: string) => `${feature} require the Business plan`,
    yours: (plan: string) => `This workspace is on the ${plan} plan.`,
    askOwner: 'An owner of the workspace can change it.',
    see: 'See the plans',
  },
});
