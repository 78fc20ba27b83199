import type { NodeFields, NodeRecord, NodeStatus } from '../graph/graph.ts';
import { isSame } from '../graph/graph-change.ts';
import { parseObject, spell } from './json-object.ts';

/** The fields of the node form. */
const FORM_FIELDS = ['title', 'status', 'assigned_to', 'data'] as const;
export type FormField = (typeof FORM_FIELDS)[number];

export interface DraftValues {
  title: string;
  status: NodeStatus;
  assigned_to: string;
  /** JSON text as typed. */
  data: string;
}

/** The input in a node's form, and the node on which it is based. */
export interface Draft {
  seen: NodeRecord;
  values: DraftValues;
}

export const draftOf = (node: NodeRecord): Draft => ({
  seen: node,
  values: {
    title: node.title,
    status: node.status,
    assigned_to: node.assigned_to ?? '',
    data: spell(node.data),
  },
});

/** Returns the fields that the draft changes, without `data` while it is not a JSON object. */
export function editsOf({ seen, values }: Draft): Partial<NodeFields> {
  const { value: data } = parseObject(values.data);
  const typed = {
    title: values.title.trim(),
    status: values.status,
    assigned_to: values.assigned_to.trim() || null,
    ...(data && { data }),
  };
  return Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => !isSame(value, seen[name as FormField])),
  );
}

/** Returns the fields that both the draft and somebody else changed to different values. */
export function conflictsOf(draft: Draft, theirs: NodeRecord): FormField[] {
  const edits = editsOf(draft);
  return FORM_FIELDS.filter(
    (name) => name in edits && !isSame(theirs[name], draft.seen[name]) && !isSame(theirs[name], edits[name]),
  );
}

/** Rebases the draft onto the current node, keeping its edits. */
export function rebase(draft: Draft, theirs: NodeRecord): Draft {
  const edits = editsOf(draft);
  const fresh = draftOf(theirs);
  /** Keep a trailing space: the user may continue typing. */
  const kept = (name: 'title' | 'assigned_to') => {
    const typed = draft.values[name];
    return name in edits || typed.trim() === fresh.values[name] ? typed : fresh.values[name];
  };
  const keepsData = 'data' in edits || parseObject(draft.values.data).problem !== null;
  return {
    seen: theirs,
    values: {
      title: kept('title'),
      status: edits.status ?? fresh.values.status,
      assigned_to: kept('assigned_to'),
      data: keepsData ? draft.values.data : fresh.values.data,
    },
  };
}

/** Rebases input typed during the save onto the saved node. */
export function typedSince(saved: Draft, draft: Draft, latest: NodeRecord): Draft {
  return rebase({ seen: { ...saved.seen, ...editsOf(saved) }, values: draft.values }, latest);
}
