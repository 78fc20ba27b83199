import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from './terminal.ts';

/** Asks a person at a terminal; a program is not asked. Throws CommandError for every answer but yes. */
export async function confirm(question: string, { input, error }: Terminal): Promise<void> {
  if (!input?.isTTY) return;
  error(`${question} [y/N]`);
  let answer = '';
  for await (const chunk of input) {
    answer += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    if (answer.includes('\n')) break;
  }
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  throw new CommandError('nothing was changed; --yes answers the question', { exit: 'interrupted' });
}
