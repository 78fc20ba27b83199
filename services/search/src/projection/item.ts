import { Decision, Message, Node, Workflow } from '@waymark/contracts';
import type { z } from 'zod';

/** The kinds of records in the projection. A search that matches a message finds its node or decision. */
export const kinds = ['decision', 'workflow', 'node', 'message', 'decision_message'] as const;
export type Kind = (typeof kinds)[number];

/** The kind of the messages on records of a kind. */
export const messagesOn = { node: 'message', decision: 'decision_message' } as const;
export type Topic = keyof typeof messagesOn;
export const isTopic = (kind: Kind): kind is Topic => kind in messagesOn;

/** A searched text of a record; highlights name its field by `path`. */
export type Field = readonly [path: string, text: string];

/** The part of a record that the projection stores. */
export interface Item {
  kind: Kind;
  id: string;
  workspace_id: string;
  /** The topic of a message, which is deleted with it. Nodes of a deleted workflow have their own events. */
  parent: { kind: Kind; id: string } | null;
  created_at: string;
  fields: Field[];
  /** The fields that a hit shows besides its id. */
  shown: Record<string, string>;
}

/** The part of an item from which hits are made. */
export type Payload = Pick<Item, 'fields' | 'shown'>;

// Only the fields in use are read: during an upgrade the other services may run another version.
const of = { id: true, workspace_id: true, created_at: true, version: true } as const;
export const SearchedDecision = Decision.pick({
  ...of,
  title: true,
  question: true,
  description: true,
  status: true,
  resolution: true,
  rationale: true,
  options_considered: true,
  tags: true,
});
export const SearchedWorkflow = Workflow.pick({ ...of, title: true, description: true });
export const SearchedNode = Node.pick({ ...of, workflow_id: true, title: true, type: true, status: true });
export const SearchedMessage = Message.pick({
  id: true,
  node_id: true,
  decision_id: true,
  content: true,
  created_at: true,
});
type SearchedDecision = z.output<typeof SearchedDecision>;
type SearchedWorkflow = z.output<typeof SearchedWorkflow>;
type SearchedNode = z.output<typeof SearchedNode>;
type SearchedMessage = z.output<typeof SearchedMessage>;

export function decisionItem(decision: SearchedDecision): Item {
  const { title, question, status } = decision;
  const fields = [
    ...field('title', title),
    // A decision without a title shows its question as its title.
    ...field('question', question === title ? null : question),
    ...field('description', decision.description),
    ...field('resolution', decision.resolution),
    ...field('rationale', decision.rationale),
    ...decision.options_considered.flatMap((option, i) => optionFields(`options_considered.${i}`, option)),
    ...list('tags', decision.tags),
  ];
  return rootItem('decision', decision, fields, { title, status });
}

function optionFields(path: string, option: SearchedDecision['options_considered'][number]): Field[] {
  if (typeof option === 'string') return field(path, option);
  return [
    ...field(`${path}.title`, option.title),
    ...list(`${path}.pros`, option.pros),
    ...list(`${path}.cons`, option.cons),
  ];
}

export function workflowItem(workflow: SearchedWorkflow): Item {
  const { title, description } = workflow;
  const fields = [...field('title', title), ...field('description', description)];
  return rootItem('workflow', workflow, fields, { title });
}

export function nodeItem(node: SearchedNode): Item {
  const { title, type, status, workflow_id } = node;
  return rootItem('node', node, field('title', title), { title, type, status, workflow_id });
}

export function topicOf({ node_id, decision_id }: Pick<SearchedMessage, 'node_id' | 'decision_id'>) {
  return node_id === null
    ? ({ kind: 'decision', id: decision_id! } as const)
    : ({ kind: 'node', id: node_id } as const);
}

export function messageItem(message: SearchedMessage, workspaceId: string): Item {
  const parent = topicOf(message);
  return {
    kind: messagesOn[parent.kind],
    id: message.id,
    workspace_id: workspaceId,
    parent,
    created_at: message.created_at,
    fields: field('message', message.content),
    shown: {},
  };
}

function rootItem(
  kind: Kind,
  { id, workspace_id, created_at }: Pick<Item, 'id' | 'workspace_id' | 'created_at'>,
  fields: Field[],
  shown: Item['shown'],
): Item {
  return { kind, id, workspace_id, parent: null, created_at, fields, shown };
}

function field(path: string, text: string | null): Field[] {
  return text ? [[path, text]] : [];
}

function list(path: string, texts: readonly string[]): Field[] {
  return texts.flatMap((text, i) => field(`${path}.${i}`, text));
}
