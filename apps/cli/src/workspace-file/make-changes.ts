import { CommandError } from '../failures/command-error.ts';
import { WORKSPACE } from '../operations/parameters.ts';
import { json, type Sender } from '../operations/send.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Change } from './changes.ts';
import type { SecretStore } from './secrets.ts';
import type { Fields } from './sections.ts';

const made: Record<Change['kind'], string> = { create: 'created', update: 'changed', remove: 'removed' };

/** A creation whose answer has a secret that no other answer has. */
export const hasSecret = ({ section, calls }: Change): boolean =>
  section.secretOf !== undefined && calls.some(({ operation }) => operation === section.create);

interface Work {
  workspaceId: string;
  send: Sender;
  secrets: SecretStore | undefined;
  /** Stops the work after the change that is being made. */
  signal: AbortSignal | undefined;
  terminal: Terminal;
}

/** Makes changes one after the other. Throws CommandError for the first that fails. */
export async function makeChanges(changes: Change[], work: Work): Promise<void> {
  for (const [count, change] of changes.entries()) {
    const rest = `${count} of ${changes.length} changes were made: repeat the command to go on`;
    if (work.signal?.aborted) throw new CommandError(`interrupted; ${rest}`, { exit: 'interrupted' });
    try {
      await makeChange(change, work);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const reason = error.message.replace(/\.$/, '');
      const message = `${change.record}: ${reason}${outcomeAfter(error, change)}; ${rest}`;
      throw new CommandError(message, { exit: error.exit, cause: error });
    }
    work.terminal.out(`${made[change.kind]} ${change.record}`);
  }
}

/** Says that a change may have been made, if no response to it arrived. */
function outcomeAfter({ exit }: CommandError, change: Change): string {
  if (exit !== 'server') return '';
  return `; it may have been made${hasSecret(change) ? ', and its secret is lost then' : ''}`;
}

async function makeChange(change: Change, { workspaceId, send, secrets }: Work): Promise<void> {
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
    const created = await send(operation, input, json<Fields & { id: string }>);
    createdId = created.id;
    for (const [name, value] of Object.entries(section.secretOf?.(created) ?? {})) {
      await secrets?.keep({ record: change.record, id: createdId, name, value: String(value) });
    }
  }
}
