import { Document, isScalar, type Node, visit } from 'yaml';
import { CommandError } from '../failures/command-error.ts';
import { WORKSPACE } from '../operations/parameters.ts';
import { patientSender } from '../operations/patient-sender.ts';
import { createSender } from '../operations/send.ts';
import { saveFile } from '../output/save-file.ts';
import { connectionOf } from '../profiles/connection.ts';
import { type Terminal, withoutControls } from '../terminal/terminal.ts';
import { nameOf } from './changes.ts';
import { ambiguity } from './plan.ts';
import { readWorkspace, type WorkspaceRecord } from './read-workspace.ts';
import { keyOf, type Section, sections } from './sections.ts';

export interface PullOptions {
  output?: string;
  profile?: string;
}

/** Writes the file with which `apply` changes nothing. Throws CommandError if there cannot be one. */
export async function pull({ output, profile }: PullOptions, terminal: Terminal): Promise<void> {
  const connection = await connectionOf(terminal, profile);
  const signal = terminal.interruption?.();
  const send = patientSender(createSender(connection, signal), terminal, signal);
  const { id, records } = await readWorkspace(sections, connection, send, terminal);
  const lists = [...records].map(([section, list]): [string, WorkspaceRecord[]] => [
    section.name,
    inOrder(section, list),
  ]);
  const text = formatFile(id, lists);
  if (output === undefined) terminal.out(text.trimEnd());
  else await saveFile([Buffer.from(text)], output);
}

/** Returns one record for each key, in the order of the keys. */
function inOrder(section: Section, records: WorkspaceRecord[]): WorkspaceRecord[] {
  const byKey = Map.groupBy(records, ({ fields }) => keyOf(section, fields));
  for (const [first, ...others] of byKey.values()) {
    const message = ambiguity(section, [first!, ...others]);
    if (!message) continue;
    throw new CommandError(`${nameOf(section, first!.fields)}: ${message}`, { exit: 'conflict' });
  }
  const inOrderOfKeys = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrderOfKeys.map(([, [first]]) => first!);
}

const ABOUT = ' To show differences of the workspace: waymark apply --dry-run -f <this file>';

/** Returns the text of a workspace file. */
function formatFile(workspaceId: string, lists: [string, WorkspaceRecord[]][]): string {
  const document = new Document({
    [WORKSPACE]: workspaceId,
    ...Object.fromEntries(lists.map(([name, records]) => [name, records.map(({ fields }) => fields)])),
  });
  document.commentBefore = ABOUT;
  for (const [name, records] of lists) {
    for (const [i, { isInvitation }] of records.entries()) {
      if (isInvitation) (document.getIn([name, i]) as Node).commentBefore = ' Invited, and not a member yet';
    }
  }
  // In double quotes, a character that a terminal may obey can be written as a number.
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && withoutControls(node.value) !== node.value)
        node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY });
  return withoutControls(text, escaped);
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
