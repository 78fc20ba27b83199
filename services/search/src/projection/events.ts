import { deletedNodes, type EventEnvelope, type EventType } from '@waymark/contracts';
import { z } from 'zod';
import {
  decisionItem,
  type Item,
  type Kind,
  messageItem,
  messagesOn,
  nodeItem,
  SearchedDecision,
  SearchedMessage,
  SearchedNode,
  SearchedWorkflow,
  topicOf,
  workflowItem,
} from './item.ts';

/** A change of one record. Only versions order the changes of a record. */
export interface Change {
  kind: Kind;
  id: string;
  version: number;
  /** Null when the record was deleted. */
  item: Item | null;
  /** For a message, the deletion of its topic that precedes it; 0, the default, for none. */
  generation?: number | undefined;
  /** Set by a rebuild: the change replaces the state of this revision, whatever its version. */
  replaces?: number;
}

type ReadChanges = (event: EventEnvelope) => Change[];

/** Throws when the data of the event does not match the schema. */
function reading<S extends z.ZodType>(
  schema: S,
  changes: (data: z.output<S>, event: EventEnvelope) => Change[],
): ReadChanges {
  return (event) => changes(schema.parse(event.data), event);
}

function put(item: Item, version: number, generation?: number): Change {
  return { kind: item.kind, id: item.id, version, item, generation };
}
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
    put(messageItem(one, workspace_id!), data.version, data.generations[topicOf(one).id]),
  ),
);
const messageDeleted = reading(
  SearchedMessage.pick({ node_id: true, decision_id: true }),
  (data, { subject }) => [remove(messagesOn[topicOf(data).kind], subject.id, subject.version)],
);
function deleted(kind: Kind): ReadChanges {
  return ({ subject }) => [remove(kind, subject.id, subject.version)];
}
const nodesDeleted: ReadChanges = (event) =>
  deletedNodes(event).map(({ id, version }) => remove('node', id, version));

const changesByType: { [T in EventType]?: ReadChanges } = {
  'decision.created': decision,
  'decision.updated': decision,
  'decision.deleted': deleted('decision'),
  'decisions.imported': decisions,
  'workflow.imported': workflow,
  'nodes.imported': nodes,
  'messages.imported': messages,
  'workflow.created': workflow,
  'workflow.updated': workflow,
  'workflow.deleted': deleted('workflow'),
  'node.created': node,
  'node.updated': node,
  'nodes.created': nodes,
  'nodes.updated': nodes,
  'node.deleted': nodesDeleted,
  'nodes.deleted': nodesDeleted,
  'thread.message_created': message,
  'thread.message_updated': message,
  'thread.message_deleted': messageDeleted,
};

/** The events that change the projection. */
export const searchedTypes = Object.keys(changesByType) as EventType[];

/** Returns the changes of an event. Throws when its data does not match its type. */
export function changesOf(event: EventEnvelope): Change[] {
  const read = changesByType[event.type];
  return read && event.workspace_id !== null ? read(event) : [];
}
