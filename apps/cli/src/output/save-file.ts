import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { CommandError } from '../failures/command-error.ts';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Writes a file, which is complete or not there. Throws CommandError if it cannot be written. */
export async function saveFile(chunks: Chunks, file: string): Promise<void> {
  // A symbolic link stays one.
  const target = await realpath(file).catch(() => file);
  const found = await stat(target).catch(() => undefined);
  // A device such as /dev/stdout must not be replaced by a file.
  const isReplaced = !found || found.isFile() || found.isDirectory();
  const draft = isReplaced ? `${target}.${randomBytes(6).toString('hex')}.part` : target;
  // A file that only its owner may read stays one.
  const mode = found?.isFile() ? found.mode : undefined;
  const handle = await open(draft, isReplaced ? 'wx' : 'w', mode).catch((error) => {
    throw unwritable(file, error);
  });
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
    await handle.close();
    if (isReplaced) await rename(draft, target);
  } catch (error) {
    await handle.close();
    if (isReplaced) await rm(draft, { force: true });
    throw error instanceof CommandError ? error : unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): CommandError {
  return new CommandError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
}
