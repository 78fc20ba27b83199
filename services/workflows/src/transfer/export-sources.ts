import type { ExportSource } from '@waymark/data-transfer';
import { fromDocument, type Stored } from '@waymark/service-kit/store';
import {
  type EdgeRecord,
  edgeView,
  type NodeRecord,
  nodeView,
  recordDefaults,
  type WorkflowRecord,
  workflowView,
} from '../records.ts';

const byWorkflow = [
  ['workflow_id', 1],
  ['_id', 1],
] as const;

/** The collections of an export, each in the order of an index. */
export const exportSources = {
  workflows: {
    collection: 'workflows',
    sort: [
      ['created_at', 1],
      ['_id', 1],
    ],
    rows: (document) => [
      workflowView(fromDocument<WorkflowRecord>(document as Stored<WorkflowRecord>, recordDefaults.workflow)),
    ],
  },
  nodes: {
    collection: 'nodes',
    sort: byWorkflow,
    rows: (document) => [
      nodeView(fromDocument<NodeRecord>(document as Stored<NodeRecord>, recordDefaults.node)),
    ],
  },
  edges: {
    collection: 'edges',
    sort: byWorkflow,
    rows: (document) => [
      edgeView(fromDocument<EdgeRecord>(document as Stored<EdgeRecord>, recordDefaults.edge)),
    ],
  },
} satisfies Record<string, ExportSource>;
