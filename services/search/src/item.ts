import type { Decision, Message, NodeSummary, SearchGroup, Workflow } from '@waymark/contracts';

/** What the projection knows apart: a message is found for its node's sake. */
export const kinds = ['decision', 'workflow', 'node', 'message'] as const;
export type Kind = (typeof kinds)[number];

/** A searched text of a record; `path` names its field as highlights do. */
export type Field = readonly [path: string, text: string];

/** What the projection holds of a record. */
export interface Item {
  kind: Kind;
  id: string;
  workspace_id: string;
  /** What it goes with when that is deleted: a node's workflow, a message's node. */
  parent: { kind: Kind; id: string } | null;
  created_at: string;
  fields: Field[];
  /** What a hit shows besides its id. */
  shown: Record<string, string>;
}

/** The group of the result that hits of a kind belong to. */
export const groupOf = {
  decision: 'decisions',
  workflow: 'workflows',
  node: 'nodes',
  message: 'nodes',
} as const satisfies Record<Kind, SearchGroup>;

export function decisionItem(decision: Decision): Item {
  const { id, workspace_id, created_at, title, question, status } = decision;
  return {
    kind: 'decision',
    id,
    workspace_id,
    parent: null,
    created_at,
    fields: [
      ...field('title', title),
      // A decision without a title of its own shows its question as such.
      ...field('question', question === title ? null : question),
      ...field('description', decision.description),
      ...field('resolution', decision.resolution),
      ...field('rationale', decision.rationale),
      ...decision.options_considered.flatMap((option, i) => optionFields(`options_considered.${i}`, option)),
      ...list('tags', decision.tags),
    ],
    shown: { title, status },
  };
}

function optionFields(path: string, option: Decision['options_considered'][number]): Field[] {
  if (typeof option === 'string') return field(path, option);
  return [
    ...field(`${path}.title`, option.title),
    ...list(`${path}.pros`, option.pros),
    ...list(`${path}.cons`, option.cons),
  ];
}

export function workflowItem({ id, workspace_id, created_at, title, description }: Workflow): Item {
  return {
    kind: 'workflow',
    id,
    workspace_id,
    parent: null,
    created_at,
    fields: [...field('title', title), ...field('description', description)],
    shown: { title },
  };
}

export function nodeItem({
  id,
  workspace_id,
  workflow_id,
  created_at,
  title,
  type,
  status,
}: NodeSummary): Item {
  return {
    kind: 'node',
    id,
    workspace_id,
    parent: { kind: 'workflow', id: workflow_id },
    created_at,
    fields: field('title', title),
    shown: { title, type, status, workflow_id },
  };
}

export function messageItem(message: Message, workspaceId: string): Item {
  return {
    kind: 'message',
    id: message.id,
    workspace_id: workspaceId,
    parent: { kind: 'node', id: message.node_id },
    created_at: message.created_at,
    fields: field('message', message.content),
    shown: {},
  };
}

function field(path: string, text: string | null): Field[] {
  return text ? [[path, text]] : [];
}

function list(path: string, texts: readonly string[]): Field[] {
  return texts.flatMap((text, i) => field(`${path}.${i}`, text));
}
