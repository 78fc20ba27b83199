import { defineTexts } from './define-texts.ts';

/** The page on which a person gives a program access. */
export const authorizeTexts = defineTexts('authorize', {
  title: 'Connect a program',
  asks: (name: string) => `A program that calls itself “${name}” asks to use Waymark in your name.`,
  publishedBy: (host: string) => `It says so at ${host}.`,
  registered: 'It has registered itself. Anybody can do that, under any name.',
  returns: (host: string) =>
    `You return to ${host}. Continue only if you have just connected this program and know that address.`,
  returnsToProgram: (scheme: string) =>
    `You return to the program on this machine that opens addresses with ${scheme} Nobody checks which one that is. Continue only if you have just connected this program.`,
  workspace: 'Workspace',
  may: 'It may',
  read: 'read',
  write: 'read and write, as far as you may',
  lasts:
    'It keeps access until it has not used it for 30 days, at most 180 days. You can disconnect it on the page Account.',
  allow: 'Connect',
  decline: 'Decline',
  invalid: 'This address is not complete, or does not come from a program that may ask. Nothing was allowed.',
});
