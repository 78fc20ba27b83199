import type { ExportSource } from '@waymark/data-transfer';
import { fromDocument, type Stored } from '@waymark/service-kit/store';
import { edgeJsonFields, nodeJsonFields, type WorkflowRecord, workflowView } from '../records.ts';

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
    jsonFields: nodeJsonFields,
  },
  edges: {
    collection: 'edges',
    sort: byWorkflow,
    jsonFields: edgeJsonFields,
  },
} satisfies Record<string, ExportSource>;
