import {
  type Decision,
  type EventEnvelope,
  type EventType,
  type Message,
  type Node,
  newId,
  type Workflow,
} from '@waymark/contracts';
import { sampleDecision, sampleEvent } from '@waymark/testing';

const at = (createdAt?: string) => createdAt ?? new Date().toISOString();

export const aDecision = (workspaceId: string, given: Partial<Decision> = {}): Decision =>
  sampleDecision({ workspace_id: workspaceId, created_at: at(), ...given });

export function aWorkflow(workspaceId: string, given: Partial<Workflow> = {}): Workflow {
  const created_at = at(given.created_at);
  const record = {
    id: newId(),
    workspace_id: workspaceId,
    title: 'Untitled',
    description: '',
    acyclic: false,
    created_by: null,
  };
  return { ...record, created_at, updated_at: created_at, version: 1, ...given };
}

export function aNode(workspaceId: string, given: Partial<Node> = {}): Node {
  const created_at = at(given.created_at);
  return {
    id: newId(),
    workspace_id: workspaceId,
    workflow_id: newId(),
    type: 'task',
    title: 'Untitled',
    data: {},
    position_x: 0,
    position_y: 0,
    status: 'backlog',
    assigned_to: null,
    external_id: null,
    created_at,
    updated_at: created_at,
    version: 1,
    ...given,
  };
}

export function aMessage(nodeId: string | null, content: string, given: Partial<Message> = {}): Message {
  return {
    id: newId(),
    thread_id: newId(),
    node_id: nodeId,
    decision_id: null,
    reply_to: null,
    mentions: [],
    reactions: [],
    resolved_at: null,
    resolved_by: null,
    content,
    content_type: 'text',
    author: { type: 'session', id: newId(), name: 'Ada' },
    created_at: at(given.created_at),
    edited_at: null,
    author_person: null,
    imported_by: null,
    ...given,
  };
}

/** An event of a record at that record's version. */
export function anEvent<T extends { id: string; version?: number }>(
  type: EventType,
  workspaceId: string,
  data: T,
  version: number = data.version ?? 1,
): EventEnvelope {
  const subject = { type: type.split('.')[0]!, id: data.id, version };
  return sampleEvent({ type, workspace_id: workspaceId, subject, data });
}

/** The same message event with the version of its topic's deletion that precedes the message; 0 for none. */
export const afterDeletion = (event: EventEnvelope, generation: number): EventEnvelope => ({
  ...event,
  subject: { ...event.subject, generation },
});
