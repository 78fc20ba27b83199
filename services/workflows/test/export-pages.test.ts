import { expect, it } from '@jest/globals';
import { readExportPage, snapshotExport } from '@waymark/data-transfer';
import { exportSources } from '../src/transfer/export-sources.ts';
import { graphNodes, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

it('the pages of an export have each node and edge once, of one moment, although the graph changes', async () => {
  const { workspaceId: workspace_id, workflow, put } = stack.space();
  const [older, newer] = [graphNodes(3), graphNodes(4)];
  const before = { nodes: [] as unknown[], edges: [] as unknown[] };
  let id = '';
  // The first workflow has the newer ids, so that pages in the order of ids alone would miss some.
  for (const nodes of [newer, older]) {
    id = await workflow();
    const edges = nodes.slice(1).map((node, i) => ({ sourceId: nodes[i]!.id, targetId: node.id }));
    const { body } = await put(id, { nodes, edges });
    before.nodes.push(...body.nodes);
    before.edges.push(...body.edges);
  }
  const { begin, read } = snapshotExport({ db: stack.database() }, exportSources);
  const { as_of, held } = await begin(workspace_id);
  expect(held).toEqual(['workflows', 'nodes', 'edges']);

  async function rowsOf(collection: 'nodes' | 'edges'): Promise<unknown[]> {
    const rows: unknown[] = [];
    let after: string | undefined;
    for (;;) {
      const page = readExportPage(await read({ workspace_id, collection, as_of, after, limit: 2 }));
      rows.push(...JSON.parse(`[0${page.rows}]`).slice(1));
      if (page.next === null) return rows;
      after = page.next;
      await put(id, { nodes: graphNodes(2), edges: [] });
    }
  }
  expect(await rowsOf('nodes')).toEqual(before.nodes);
  expect(await rowsOf('edges')).toEqual(before.edges);
});
