import { deletedNodes, type EventEnvelope, type EventType } from '@waymark/contracts';
import { z } from 'zod';
import {
  decisionItem,
  type Item,
  type Kind,
  messageItem,
  nodeItem,
  SearchedDecision,
  SearchedMessage,
  SearchedNode,
  SearchedWorkflow,
  workflowItem,
} from './item.ts';

/** What happened to one record. Changes of a record are ordered by its version alone. */
export interface Change {
  kind: Kind;
  id: string;
  version: number;
  /** Null when the record was deleted. */
  item: Item | null;
  /** Of a message: the deletion of its node that it comes after, 0 for none. Services of the version before do not tell. */
  generation?: number | undefined;
  /** Of a rebuild, which knows better: replaces the state of this revision, whatever its version. */
  instead?: number;
}

type Projection = (event: EventEnvelope) => Change[];

/** The changes that an event of such data means. Throws on other data. */
function reading<S extends z.ZodType>(
  schema: S,
  changes: (data: z.output<S>, event: EventEnvelope) => Change[],
): Projection {
  return (event) => changes(schema.parse(event.data), event);
}

const put = (item: Item, version: number, generation?: number): Change => ({
  kind: item.kind,
  id: item.id,
  version,
  item,
  generation,
});
const remove = (kind: Kind, id: string, version: number): Change => ({ kind, id, version, item: null });

const decision = reading(SearchedDecision, (data) => [put(decisionItem(data), data.version)]);
const workflow = reading(SearchedWorkflow, (data) => [put(workflowItem(data), data.version)]);
const node = reading(SearchedNode, (data) => [put(nodeItem(data), data.version)]);
const nodes = reading(z.object({ nodes: z.array(SearchedNode) }), (data) =>
  data.nodes.map((one) => put(nodeItem(one), one.version)),
);
const message = reading(SearchedMessage, (data, { subject, workspace_id }) => [
  put(messageItem(data, workspace_id!), subject.version, subject.generation),
]);
const decisions = reading(z.object({ decisions: z.array(SearchedDecision) }), (data) =>
  data.decisions.map((one) => put(decisionItem(one), one.version)),
);
const importedMessages = z.object({
  messages: z.array(SearchedMessage),
  version: z.number().default(1),
  generations: z.record(z.string(), z.number()).default({}),
});
const messages = reading(importedMessages, (data, { workspace_id }) =>
  data.messages.map((one) =>
    put(messageItem(one, workspace_id!), data.version, data.generations[one.node_id]),
  ),
);
const gone =
  (kind: Kind): Projection =>
  ({ subject }) => [remove(kind, subject.id, subject.version)];

/** What each event that search takes means for its projection. */
const projections: { [T in EventType]?: Projection } = {
  'decision.created': decision,
  'decision.updated': decision,
  'decision.deleted': gone('decision'),
  'decisions.imported': decisions,
  'workflow.imported': workflow,
  'nodes.imported': nodes,
  'messages.imported': messages,
  'workflow.created': workflow,
  'workflow.updated': workflow,
  'workflow.deleted': gone('workflow'),
  'node.created': node,
  'node.updated': node,
  'nodes.created': nodes,
  'nodes.updated': nodes,
  'node.deleted': (event) => deletedNodes(event).map(({ id, version }) => remove('node', id, version)),
  'nodes.deleted': (event) => deletedNodes(event).map(({ id, version }) => remove('node', id, version)),
  'thread.message_created': message,
  'thread.message_updated': message,
  'thread.message_deleted': gone('message'),
};

/** The events that change the projection, and the one that ends it. */
export const searchedTypes = [...(Object.keys(projections) as EventType[]), 'workspace.deleted'] as const;

/** What an event changes. Throws on data that does not fit its type. */
export function changesOf(event: EventEnvelope): Change[] {
  const projection = projections[event.type];
  return projection && event.workspace_id !== null ? projection(event) : [];
}
