import type { ExportSource } from '@waymark/data-transfer';
import { edgeView, nodeView, storedEdge, storedNode, storedWorkflow, workflowView } from '../records.ts';

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
    rows: (document) => [workflowView(storedWorkflow(document))],
  },
  nodes: {
    collection: 'nodes',
    sort: byWorkflow,
    rows: (document) => [nodeView(storedNode(document))],
  },
  edges: {
    collection: 'edges',
    sort: byWorkflow,
    rows: (document) => [edgeView(storedEdge(document))],
  },
} satisfies Record<string, ExportSource>;
