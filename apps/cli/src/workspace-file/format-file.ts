import { Document, isScalar, type Node, visit } from 'yaml';
import { WORKSPACE } from '../operations/parameters.ts';
import { withoutControls } from '../terminal/terminal.ts';
import type { WorkspaceRecord } from './read-workspace.ts';

const ABOUT = ' What differs in the workspace shows: waymark apply --dry-run -f <this file>';

/** Returns the text of a workspace file. */
export function formatFile(workspaceId: string, lists: [string, WorkspaceRecord[]][]): string {
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
