import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

const MAX_CHARACTERS = 10_000;

/** Reads one line from standard input. A terminal shows the prompt, and not what is typed. */
export async function readSecret(prompt: string, { input }: Terminal): Promise<string> {
  const text = input?.isTTY ? await typed(prompt, input as NodeJS.ReadStream) : await piped(input);
  const [line = ''] = text.trim().split('\n');
  if (line) return line;
  throw usageError('standard input is empty: pipe the key into waymark login --key');
}

async function piped(input: Terminal['input']): Promise<string> {
  let text = '';
  for await (const chunk of input ?? []) {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
}

function typed(prompt: string, input: NodeJS.ReadStream): Promise<string> {
  process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () =>
      reject(new CommandError('interrupted: nothing was stored', { exit: 'interrupted' })),
    );
    lines.once('close', () => resolve(''));
  }).finally(() => {
    process.stderr.write('\n');
    lines.close();
  }) as Promise<string>;
}
