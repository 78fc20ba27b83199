import { type EventEnvelope, type EventType, events } from '@waymark/contracts';
import type { z } from 'zod';
import { decisionItem, type Item, type Kind, messageItem, nodeItem, workflowItem } from './item.ts';

/** What happened to one record. Changes of a record are ordered by its version alone. */
export interface Change {
  kind: Kind;
  id: string;
  version: number;
  /** Null when the record was deleted. */
  item: Item | null;
  /** Of a rebuild, which knows better: replaces the state of this revision, whatever its version. */
  instead?: number;
}

type Data<T extends EventType> = z.output<(typeof events)[T]['data']>;
type Projection<T extends EventType> = (data: Data<T>, event: EventEnvelope) => Change[];

const put = (item: Item, version: number): Change => ({ kind: item.kind, id: item.id, version, item });
const remove = (kind: Kind, id: string, version: number): Change => ({ kind, id, version, item: null });

/** What each event that search takes means for its projection. */
const projections: { [T in EventType]?: Projection<T> } = {
  'decision.created': (decision) => [put(decisionItem(decision), decision.version)],
  'decision.updated': (decision) => [put(decisionItem(decision), decision.version)],
  'decision.deleted': ({ id }, { subject }) => [remove('decision', id, subject.version)],
  'workflow.created': (workflow) => [put(workflowItem(workflow), workflow.version)],
  'workflow.updated': (workflow) => [put(workflowItem(workflow), workflow.version)],
  'workflow.deleted': ({ id }, { subject }) => [remove('workflow', id, subject.version)],
  'workflow.graph_replaced': ({ workflow }) => [put(workflowItem(workflow), workflow.version)],
  'node.created': (node) => [put(nodeItem(node), node.version)],
  'node.updated': (node) => [put(nodeItem(node), node.version)],
  'node.deleted': ({ id }, { subject }) => [remove('node', id, subject.version)],
  'nodes.created': ({ nodes }) => nodes.map((node) => put(nodeItem(node), node.version)),
  'nodes.updated': ({ nodes }) => nodes.map((node) => put(nodeItem(node), node.version)),
  'nodes.deleted': ({ nodes }) => nodes.map(({ id, version }) => remove('node', id, version)),
  'thread.message_created': (message, event) => [put(itemOf(message, event), event.subject.version)],
  'thread.message_updated': (message, event) => [put(itemOf(message, event), event.subject.version)],
  'thread.message_deleted': ({ id }, { subject }) => [remove('message', id, subject.version)],
};

const itemOf = (message: Data<'thread.message_created'>, event: EventEnvelope) =>
  messageItem(message, event.workspace_id!);

/** The events that change the projection, and the one that ends it. */
export const searchedTypes = [...(Object.keys(projections) as EventType[]), 'workspace.deleted'] as const;

/** What an event changes. Throws on data that does not fit its type. */
export function changesOf(event: EventEnvelope): Change[] {
  const projection = projections[event.type] as Projection<EventType> | undefined;
  if (!projection || event.workspace_id === null) return [];
  return projection(events[event.type].data.parse(event.data), event);
}
