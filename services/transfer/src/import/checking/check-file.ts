import type { ExportCollection } from '@waymark/contracts';
import type { ImportRow } from '../../store/index.ts';
import { parentOf, recordOf } from '../work/import-row.ts';
import { importedGraph } from '../work/imported-graph.ts';
import { eachPortion, isVerdict, type Work } from '../work/work.ts';
import { checkSupersedes } from './check-supersedes.ts';

/** Collections whose records have ids of their own. */
const NAMED = ['decisions', 'outcomes', 'approvals', 'forecasts', 'threads', 'messages'] as const;

/**
 * Checks the records of a file against each other, the workspace, and the ids of other workspaces, and marks
 * the new ones. Returns the number of steps.
 */
export async function checkFile(work: Work): Promise<number> {
  const { job } = work;
  let step = 0;
  const parts = [
    'nodes',
    'edges',
    'outcomes',
    'approvals',
    'forecasts',
    'history',
    'threads',
    'messages',
  ] as const;
  for (const collection of parts) {
    await eachPortion(work, step++, collection, async (rows) => {
      if (collection !== 'threads') await checkParents(work, collection, rows);
      else {
        const isOfDecision = (row: ImportRow) => recordOf('threads', row).node_id === null;
        for (const [ofDecision, some] of Map.groupBy(rows, isOfDecision)) {
          await checkParents(work, collection, some, ofDecision);
        }
      }
      job.progress.done[collection] += rows.length;
    });
  }
  for (const collection of NAMED) {
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
  return step;
}

async function checkParents(
  { job, store, report }: Work,
  collection: ExportCollection,
  rows: ImportRow[],
  isOfDecision = false,
) {
  const [parents, field] = parentOf(collection, isOfDecision)!;
  const ids = rows.map(({ parent }) => parent!);
  const known = await store.rows.parents(job.id, parents, ids);
  for (const row of rows) {
    const path = `${collection}.${row.seq}`;
    const isKnown = known.has(row.parent!);
    const unknown = `is not among the ${parents} of the file`;
    // The threads service may receive a deletion after an export has read its threads.
    if (!isKnown && collection === 'threads') report.warn(`${path}.${field}`, unknown);
    else if (!isKnown) report.issue(`${path}.${field}`, unknown);
    if (collection === 'messages' && isKnown) {
      const { node_id, decision_id } = recordOf('messages', row);
      const [topic, id] = node_id === null ? ['decision', decision_id] : ['node', node_id];
      if (known.get(row.parent!) !== id)
        report.issue(`${path}.${topic}_id`, `is not the ${topic} of its thread`);
    }
  }
}

/** Remapped ids are new, but ids of the file may belong to another workspace. */
async function checkFree(
  { job, call, report, store }: Work,
  collection: (typeof NAMED)[number],
  rows: ImportRow[],
) {
  if (job.ids === 'remap') return;
  const asked = { workspace_id: job.workspace_id, ids: rows.map(({ id }) => id) };
  const { here, elsewhere } =
    collection === 'threads' || collection === 'messages'
      ? await call('findTakenThreads', { body: { ...asked, collection } })
      : await call('findTakenDecisions', { body: { ...asked, collection } });
  const known = new Set([...here, ...elsewhere]);
  await store.rows.markNew(rows.flatMap(({ _id, id }) => (known.has(id) ? [] : [_id])));
  const taken = new Set(elsewhere);
  for (const { id, seq } of rows) {
    if (taken.has(id)) report.issue(`${collection}.${seq}.id`, 'is taken; import with ids=remap');
  }
}

async function checkGraph(work: Work, row: ImportRow) {
  const { job, call, report, store } = work;
  const path = `workflows.${row.seq}`;
  const imported = await importedGraph(work, row);
  if (typeof imported === 'string') return report.issue(path, imported);
  const { workspace_id } = job;
  const portion = `${job.id}/check/${job.fence}/${row.id}`;
  try {
    const body = { ...imported.graph, workspace_id, portion, check_only: true };
    const { stored } = await call('importWorkflow', { body });
    if (stored > 0 && job.ids === 'keep') await store.rows.markNodesNew(job.id, row.id);
  } catch (error) {
    if (!isVerdict(error)) throw error;
    report.issue(path, error.message);
  }
}
