import type { ExportCollection } from '@waymark/contracts';
import type { ImportRow } from '../../store/index.ts';
import { recordOf } from '../work/import-row.ts';
import { importedGraph } from '../work/imported-graph.ts';
import { isVerdict } from '../work/is-verdict.ts';
import { eachPortion, type Work } from '../work/work.ts';
import { checkSupersedes } from './check-supersedes.ts';

const PARENTS = [
  ['nodes', 'workflows', 'workflow_id'],
  ['edges', 'workflows', 'workflow_id'],
  ['outcomes', 'decisions', 'decision_id'],
  ['history', 'decisions', 'decision_id'],
  ['threads', 'nodes', 'node_id'],
  ['messages', 'threads', 'thread_id'],
] as const satisfies [ExportCollection, ExportCollection, string][];

/**
 * Checks the records of a file against each other, against the workspace, and against the ids of other
 * workspaces.
 */
export async function checkFile(work: Work): Promise<void> {
  const { job } = work;
  let step = 0;
  for (const [collection, parents, field] of PARENTS) {
    await eachPortion(work, step++, collection, async (rows) => {
      await checkParents(work, rows, parents, field);
      job.progress.done[collection] += rows.length;
    });
  }
  for (const collection of ['decisions', 'outcomes', 'threads', 'messages'] as const) {
    await eachPortion(work, step++, collection, (rows) => checkFree(work, collection, rows));
  }
  await eachPortion(work, step++, 'decisions', async (rows) => {
    await checkSupersedes(work, rows);
    job.progress.done.decisions += rows.length;
  });
  await eachPortion(work, step++, 'workflows', async (rows) => {
    for (const row of rows) await checkGraph(work, row);
    job.progress.done.workflows += rows.length;
  });
}

async function checkParents(
  { job, store, report }: Work,
  rows: ImportRow[],
  parents: ExportCollection,
  field: string,
): Promise<void> {
  const known = await store.rows.parents(
    job.id,
    parents,
    rows.map(({ parent }) => parent!),
  );
  for (const row of rows) {
    const path = `${row.collection}.${row.seq}`;
    const isKnown = known.has(row.parent!);
    const unknown = `is not among the ${parents} of the file`;
    // An export reads threads at a slightly different moment, possibly before they received the deletion of a
    // node.
    if (!isKnown && row.collection === 'threads') report.warn(`${path}.${field}`, unknown);
    else if (!isKnown) report.issue(`${path}.${field}`, unknown);
    if (row.collection === 'messages' && isKnown) {
      const { node_id } = recordOf('messages', row);
      if (known.get(row.parent!) !== node_id)
        report.issue(`${path}.node_id`, 'is not the node of its thread');
    }
  }
}

/** Remapped ids are new, but ids of the file may belong to another workspace. */
async function checkFree(
  { job, call, report }: Work,
  collection: 'decisions' | 'outcomes' | 'threads' | 'messages',
  rows: ImportRow[],
): Promise<void> {
  if (job.ids === 'remap') return;
  const asked = { workspace_id: job.workspace_id, ids: rows.map(({ id }) => id) };
  const { elsewhere } =
    collection === 'decisions' || collection === 'outcomes'
      ? await call('findTakenDecisions', { body: { ...asked, collection } })
      : await call('findTakenThreads', { body: { ...asked, collection } });
  const taken = new Set(elsewhere);
  for (const { id, seq } of rows) {
    if (taken.has(id)) report.issue(`${collection}.${seq}.id`, 'is taken; import with ids=remap');
  }
}

/** Checks a workflow's graph with the rules of the workflows service for a write. */
async function checkGraph(work: Work, row: ImportRow): Promise<void> {
  const { job, call, report } = work;
  const path = `workflows.${row.seq}`;
  const imported = await importedGraph(work, row);
  if (typeof imported === 'string') return report.issue(path, imported);
  const { workspace_id } = job;
  const portion = `${job.id}/check/${job.fence}/${row.id}`;
  try {
    await call('importWorkflow', { body: { ...imported.graph, workspace_id, portion, check_only: true } });
  } catch (error) {
    if (!isVerdict(error)) throw error;
    report.issue(path, error.message);
  }
}
