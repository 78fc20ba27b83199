import { type ExportSource, fromDocument, type Stored } from '@waymark/service-kit';
import {
  type EdgeRecord,
  edgeView,
  type NodeRecord,
  nodeView,
  type WorkflowRecord,
  workflowView,
} from './records.ts';

const byWorkflow = [
  ['workflow_id', 1],
  ['_id', 1],
] as const;

/** What the service gives to an export, in the order of its indexes. */
export const exportSources = {
  workflows: {
    collection: 'workflows',
    sort: [
      ['created_at', 1],
      ['_id', 1],
    ],
    rows: (document) => [workflowView(fromDocument<WorkflowRecord>(document as Stored<WorkflowRecord>))],
  },
  nodes: {
    collection: 'nodes',
    sort: byWorkflow,
    rows: (document) => [nodeView(fromDocument<NodeRecord>(document as Stored<NodeRecord>))],
  },
  edges: {
    collection: 'edges',
    sort: byWorkflow,
    rows: (document) => [edgeView(fromDocument<EdgeRecord>(document as Stored<EdgeRecord>))],
  },
} satisfies Record<string, ExportSource>;
