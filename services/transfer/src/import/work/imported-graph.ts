import { limits } from '@waymark/contracts';
import type { ImportRow } from '../../store/index.ts';
import { recordOf } from './import-row.ts';
import { targetRecord } from './remap.ts';
import type { Work } from './work.ts';

/** Returns a workflow and its graph for the workflows service, with their rows; or what is too large. */
export async function importedGraph({ job, store }: Work, row: ImportRow) {
  const bytes = await store.rows.freeFormBytes(job.id, row.id);
  const max = limits.graphFreeFormBytes;
  if (bytes > max) return `has ${bytes} bytes of data and conditions; a workflow can have ${max}`;
  const nodes = await store.rows.ofParent(job.id, 'nodes', row.id, limits.nodesPerWorkflow + 1);
  if (nodes.length > limits.nodesPerWorkflow) return `has more than ${limits.nodesPerWorkflow} nodes`;
  const edges = await store.rows.ofParent(job.id, 'edges', row.id, limits.edgesPerWorkflow + 1);
  if (edges.length > limits.edgesPerWorkflow) return `has more than ${limits.edgesPerWorkflow} edges`;
  const graph = {
    workflow: targetRecord<'workflows'>(job, recordOf('workflows', row)),
    nodes: nodes.map((node) => {
      const { data, ...record } = targetRecord<'nodes'>(job, recordOf('nodes', node));
      return { ...record, data: JSON.stringify(data) };
    }),
    edges: edges.map((edge) => {
      const { condition, ...record } = targetRecord<'edges'>(job, recordOf('edges', edge));
      return { ...record, condition: condition === null ? null : JSON.stringify(condition) };
    }),
  };
  return { graph, rows: { nodes, edges } };
}
