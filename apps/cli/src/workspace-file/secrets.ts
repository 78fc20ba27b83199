import { open } from 'node:fs/promises';
import { CommandError, usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A secret of a record that was created, which no other answer has. */
export interface Secret {
  record: string;
  id: string;
  name: string;
  value: string;
}

/** Where secrets go, until it is closed. */
export interface SecretStore {
  keep(secret: Secret): Promise<void>;
  close(): Promise<void>;
}

/**
 * Shows secrets on a terminal, or adds them to a file, which only its owner may read. Throws CommandError if
 * there is neither: a pipe often ends in a log.
 */
export async function openSecretStore(file: string | undefined, terminal: Terminal): Promise<SecretStore> {
  if (file !== undefined) return openFile(file);
  if (terminal.columns === undefined) {
    const why = 'signing secrets and invitation links are shown on a terminal only';
    throw usageError(`${why}: give --secrets <file>`);
  }
  return {
    keep: async ({ name, value }) => terminal.out(`    ${name}, shown only now: ${value}`),
    close: async () => undefined,
  };
}

async function openFile(file: string): Promise<SecretStore> {
  function unwritable(error: Error, consequence = ''): never {
    const message = `${file} cannot be written${consequence}: ${error.message}`;
    throw new CommandError(message, { cause: error });
  }
  const handle = await open(file, 'a', 0o600).catch(unwritable);
  try {
    // The file may have been there before, readable by others. A device such as /dev/null stays as it is.
    if ((await handle.stat()).isFile()) await handle.chmod(0o600);
  } catch (error) {
    await handle.close();
    unwritable(error as Error);
  }
  return {
    async keep({ record, id, name, value }) {
      try {
        await handle.appendFile(`${JSON.stringify({ record, id, [name]: value })}\n`);
        await handle.sync();
      } catch (error) {
        unwritable(error as Error, `, and the ${name} of ${record} (${id}) is lost`);
      }
    },
    close: () => handle.close(),
  };
}
