import { newId } from '@waymark/contracts';
import type { Document } from 'mongodb';
import { decisionItem, SearchedDecision } from '../../services/search/src/projection/item.ts';
import { documentsOf } from '../search/documents.ts';
import { makeTexts } from '../support/texts.ts';

const OUTCOMES = ['pending', 'success', 'partial', 'failure'];
/** Higher than the revisions of the API's own changes; search numbers the changes of each workspace. */
export const FIRST_REVISION = 10_000_000;
const NODES_PER_WORKFLOW = 10;
const MESSAGES_PER_THREAD = 5;

export type Row = Document & { _id: string };
/** Rows by `database.collection`; the counted ones last. */
export type Rows = Record<string, Row[]>;

/** A kind of record with its dependent records. */
export interface Batch {
  /** The collection whose documents are counted. */
  counted: string;
  wanted: number;
  atOnce: number;
  /** Returns record number `i`, copied from one that the API created. */
  make(i: number, workspaceId: string, from: Models): Rows;
}

/** Where the measured workspace has one record of each kind, and its id. */
export const models = {
  workspace: ['accounts.workspaces', {}],
  member: ['accounts.members', {}],
  key: ['accounts.api_keys', {}],
  decision: ['decisions.decisions', {}],
  history: ['decisions.history', {}],
  outcome: ['decisions.outcomes', {}],
  item: ['search.items', { kind: 'decision' }],
  workflow: ['workflows.workflows', {}],
  node: ['workflows.nodes', {}],
  edge: ['workflows.edges', {}],
  thread: ['threads.threads', {}],
  message: ['threads.messages', {}],
  endpoint: ['webhooks.endpoints', { deleted_at: null }],
  delivery: ['webhooks.deliveries', { status: 'delivered' }],
  entry: ['audit.entries', { action: 'decision.create' }],
} as const satisfies Record<string, [where: string, which: Document]>;
export type Models = Record<keyof typeof models, Row>;

const copy = (row: Row, fields: Document): Row => ({ ...row, _id: newId(), ...fields });
const many = (count: number, make: (i: number) => Row) => Array.from({ length: count }, (_, i) => make(i));
const texts = makeTexts(1);

export const workspaceBatch = (wanted: number): Batch => ({
  counted: 'accounts.workspaces',
  wanted,
  atOnce: 1_000,
  make(_, workspace_id, from) {
    return {
      'accounts.members': [copy(from.member, { workspace_id, user_id: newId() })],
      'accounts.api_keys': [copy(from.key, { workspace_id, key_hash: newId() })],
      'webhooks.endpoints': [copy(from.endpoint, { workspace_id })],
      'accounts.workspaces': [copy(from.workspace, { _id: workspace_id })],
    };
  },
});

/** Records per workspace, in proportion to its decisions. */
export const batchesOf = (decisions: number): Batch[] => [
  {
    counted: 'decisions.decisions',
    wanted: decisions,
    atOnce: 1_000,
    make(i, workspace_id, from) {
      // Not `i` itself, because every second record belongs to the same workspace.
      const kind = Math.floor(i / 2);
      const outcome = OUTCOMES[kind % OUTCOMES.length]!;
      const decision = copy(from.decision, {
        workspace_id,
        title: texts.text(50),
        description: texts.text(100),
        status: kind % 20 === 0 ? 'accepted' : 'proposed',
        outcome,
        created_at: new Date(Date.now() - i * 1_000).toISOString(),
      });
      const of = { workspace_id, decision_id: decision._id };
      return {
        'decisions.history': [copy(from.history, of)],
        'decisions.outcomes': outcome === 'success' ? [copy(from.outcome, of)] : [],
        'search.items': itemsOf(decision, workspace_id, FIRST_REVISION + i),
        'decisions.decisions': [decision],
      };
    },
  },
  {
    counted: 'workflows.workflows',
    wanted: Math.ceil(decisions / 100),
    atOnce: 200,
    make(_, workspace_id, from) {
      const counts = { node_count: NODES_PER_WORKFLOW, edge_count: NODES_PER_WORKFLOW - 1 };
      const workflow = copy(from.workflow, { workspace_id, title: texts.text(30), ...counts });
      const of = { workspace_id, workflow_id: workflow._id };
      const nodes = many(NODES_PER_WORKFLOW, () => copy(from.node, { ...of, title: texts.text(30) }));
      const edges = nodes
        .slice(1)
        .map(({ _id }, i) => copy(from.edge, { ...of, source_id: nodes[i]!._id, target_id: _id }));
      return { 'workflows.nodes': nodes, 'workflows.edges': edges, 'workflows.workflows': [workflow] };
    },
  },
  {
    counted: 'threads.threads',
    wanted: Math.ceil(decisions / 20),
    atOnce: 500,
    make(_, workspace_id, from) {
      const thread = copy(from.thread, { workspace_id, node_id: newId() });
      const of = { workspace_id, thread_id: thread._id, node_id: thread['node_id'] };
      const messages = many(MESSAGES_PER_THREAD, () =>
        copy(from.message, { ...of, content: texts.text(80) }),
      );
      return { 'threads.messages': messages, 'threads.threads': [thread] };
    },
  },
  {
    counted: 'webhooks.deliveries',
    wanted: Math.ceil(decisions / 4),
    atOnce: 2_000,
    make(_, workspace_id, from) {
      const isOwn = workspace_id === from.endpoint['workspace_id'];
      const webhook_id = isOwn ? from.endpoint._id : newId();
      return {
        'webhooks.deliveries': [copy(from.delivery, { workspace_id, webhook_id, event_id: newId() })],
      };
    },
  },
];

function itemsOf({ _id: id, ...fields }: Row, workspaceId: string, revision: number): Row[] {
  const decision = SearchedDecision.parse({ id, ...fields });
  const change = { kind: 'decision', id, version: decision.version, item: decisionItem(decision) } as const;
  return documentsOf(workspaceId, [change], revision - 1);
}
