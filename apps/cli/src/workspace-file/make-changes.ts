import { WaymarkError } from '@waymark/client';
import { CommandError } from '../command-error.ts';
import { WORKSPACE } from '../operations/parameters.ts';
import type { Sender } from '../operations/send.ts';
import type { Terminal } from '../terminal.ts';
import type { Change } from './changes.ts';
import type { SecretStore } from './secrets.ts';
import type { Fields } from './sections.ts';

const made: Record<Change['kind'], string> = { create: 'created', update: 'changed', remove: 'removed' };

/** A creation whose answer has a secret that no other answer has. */
export const hasSecret = ({ section, calls }: Change): boolean =>
  section.secretOf !== undefined && calls.some(({ operation }) => operation === section.create);

/** Makes changes one after the other. Throws CommandError for the first that fails. */
export async function makeChanges(
  changes: Change[],
  workspaceId: string,
  send: Sender,
  secrets: SecretStore | undefined,
  terminal: Terminal,
): Promise<void> {
  for (const [count, change] of changes.entries()) {
    try {
      await makeChange(change, workspaceId, send, secrets);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const isUnknown = !(error.cause instanceof WaymarkError) ? '; it may have been made' : '';
      const rest = `${count} of ${changes.length} changes were made: repeat the command to go on`;
      const message = `${change.record}: ${error.message.replace(/\.$/, '')}${isUnknown}; ${rest}`;
      throw new CommandError(message, { exitCode: error.exitCode, cause: error });
    }
    terminal.out(`${made[change.kind]} ${change.record}`);
  }
}

async function makeChange(
  change: Change,
  workspaceId: string,
  send: Sender,
  secrets: SecretStore | undefined,
): Promise<void> {
  const { section, calls } = change;
  let createdId = '';
  for (const { operation, id = createdId, body } of calls) {
    const input = {
      path: operation.path.includes('{id}') ? { id } : ({} as Record<string, string>),
      query: { [WORKSPACE]: workspaceId },
      headers: {},
      ...(body && { body }),
    };
    if (operation !== section.create) {
      await send(operation, input);
      continue;
    }
    const created = await send.json<Fields & { id: string }>(operation, input);
    createdId = created.id;
    for (const [name, value] of Object.entries(section.secretOf?.(created) ?? {})) {
      await secrets?.keep({ record: change.record, id: createdId, name, value: String(value) });
    }
  }
}
