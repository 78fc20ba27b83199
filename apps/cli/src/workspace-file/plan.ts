import { commandNameOf } from '../operations/command-name.ts';
import { type Change, changeTo, nameOf, removalOf } from './changes.ts';
import type { WorkspaceFile } from './parse-file.ts';
import type { Workspace, WorkspaceRecord } from './read-workspace.ts';
import { type Fields, keyOf, members, type Section } from './sections.ts';

/** Why the file cannot be applied; without a line, because of what the file lacks. */
export interface Refusal {
  line?: number;
  message: string;
}

export interface Plan {
  changes: Change[];
  /** The records that the file lacks and that stay. */
  kept: string[];
  refusals: Refusal[];
}

const ORDER = ['create', 'update', 'remove'];

/** Returns the changes that make the workspace as in the file. Only `prune` removes what the file lacks. */
export function planOf(
  { workspaceId: named, entries: sections }: WorkspaceFile,
  { id, callerId, records }: Workspace,
  { prune }: { prune: boolean },
): Plan {
  if (named && named.value !== id) {
    const message = `workspaceId: the key is for workspace ${id}: use another profile, or leave out this line`;
    return { changes: [], kept: [], refusals: [{ line: named.line, message }] };
  }
  const changes: Change[] = [];
  const kept: string[] = [];
  const refusals: Refusal[] = [];
  for (const [section, entries] of sections) {
    const unnamed = Map.groupBy(records.get(section)!, ({ fields }) => keyOf(section, fields));
    for (const { fields, line } of entries) {
      const found = unnamed.get(keyOf(section, fields)) ?? [];
      unnamed.delete(keyOf(section, fields));
      const change = changeTo(section, fields, found);
      const message =
        ambiguity(section, found) ?? (change && reasonAgainst(section, found, callerId, fields));
      if (message) refusals.push({ line, message: `${nameOf(section, fields)}: ${message}` });
      else if (change) changes.push(change);
    }
    for (const found of unnamed.values()) {
      const removal = removalOf(section, found);
      const message = prune && reasonAgainst(section, found, callerId);
      if (message) refusals.push({ message: `${removal.record} is not in the file: ${message}` });
      else if (prune) changes.push(removal);
      else kept.push(removal.record);
    }
  }
  changes.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return { changes, kept, refusals };
}

/** People and their invitations share an address; each other record must have a key of its own. */
export function ambiguity(section: Section, found: WorkspaceRecord[]): string | undefined {
  if (found.length < 2 || section === members) return undefined;
  const { group, verb } = commandNameOf(section.remove);
  return `there are ${found.length} in the workspace: remove others with waymark ${group} ${verb} <id>`;
}

/** Keys are at most an admin's, and their own rights are what they need to go on. */
function reasonAgainst(
  section: Section,
  found: WorkspaceRecord[],
  callerId: string,
  after?: Fields,
): string | undefined {
  if (found.some(({ id }) => id === callerId))
    return 'this account applies the file, and cannot change itself';
  const people = found.filter(({ isInvitation }) => !isInvitation);
  const isOwner = [...people.map(({ fields }) => fields), after].some(
    (fields) => fields?.['role'] === 'owner',
  );
  return section === members && isOwner
    ? 'only an owner can make, change or remove an owner, in the console'
    : undefined;
}
