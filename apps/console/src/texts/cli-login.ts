import { defineTexts } from './define-texts.ts';

/** The page on which a person gives a key to the command line. */
export const cliLoginTexts = defineTexts('cliLogin', {
  title: 'Sign in on the command line',
  asks: (host: string) => `waymark on ${host} asks for an API key of yours.`,
  compare: 'Continue only if you have just run waymark login, and your terminal shows the same code:',
  code: 'Code',
  workspace: 'Workspace',
  may: { read: 'The key may read.', write: 'The key may read and write.' },
  validFor: (days: number) => `It is valid for ${days} days. You can revoke it on the page API keys.`,
  settings: 'It may also change settings for an hour',
  settingsHint: 'Such as members, webhooks and service accounts, as an admin may. The audit log shows it.',
  allow: 'Create the key',
  decline: 'Decline',
  begun:
    'Continue only if you have just run waymark login yourself. Enter the code that your terminal shows, and none that anybody has sent you.',
  next: 'Continue',
  unknownCode: 'No command line waits with this code.',
  askedFrom: (address: string) => `It has asked from the address ${address},`,
  ownOnly:
    'Whoever runs that command line gets the key. Decline if you have not begun this yourself, on a machine that you know.',
  allowed: 'The key is created. Return to the terminal, which signs in within seconds.',
  declined: 'Nothing was created.',
  keyName: (host: string) => `waymark on ${host}`,
  role: 'Only owners and admins of a workspace create API keys. Ask one for a key, and run waymark login --key.',
  invalid: 'This address is not complete. Run waymark login again.',
  insecure:
    'The browser encrypts only on pages with https or on localhost. Create a key on the page API keys, and run waymark login --key.',
});
