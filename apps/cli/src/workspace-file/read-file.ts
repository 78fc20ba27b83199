import { createReadStream } from 'node:fs';
import { MEBIBYTE } from '@waymark/contracts';
import { CommandError, usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Enough for the most members and webhooks of a workspace. */
const MAX_BYTES = MEBIBYTE;

/** Returns the text of a file, or of standard input for `-`. Throws CommandError if it cannot be read. */
export async function readText(file: string, terminal: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === '-' ? (terminal.input ?? []) : createReadStream(file)) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      bytes += chunks.at(-1)!.length;
      if (bytes > MAX_BYTES) throw usageError(`${file} is too large: a workspace file has at most 1 MiB`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = error instanceof TypeError ? 'it is not text in UTF-8' : (error as Error).message;
    throw usageError(`${file} cannot be read: ${why}`);
  }
}
