import type { ExportCollection } from '@waymark/contracts';
import type { ImportRow } from '../store/imports.ts';
import { type RecordOf, recordOf } from './import-row.ts';
import { importedGraph } from './imported-graph.ts';
import { placed } from './remap.ts';
import { eachPortion, type Work } from './work.ts';

/** Stores the records of a file that was found valid, each portion once: parents before what belongs to them. */
export async function writeFile(work: Work): Promise<void> {
  const { job, call } = work;
  const { workspace_id, progress } = job;
  let step = 0;

  const portionOf = (rows: ImportRow[]) => {
    const { collection, seq } = rows[0]!;
    return { workspace_id, portion: `${job.id}/${collection}/${seq}` };
  };
  const records = <C extends ExportCollection>(
    collection: C,
    rows: ImportRow[],
    known?: Map<string, unknown>,
  ) => rows.map((row) => placed<C>(job, recordOf(collection, row) as RecordOf<C>, known));
  const count = (collection: ExportCollection, sent: number, stored: number) => {
    progress.done[collection] += sent;
    progress.stored[collection] += stored;
    progress.present[collection] += sent - stored;
  };

  await eachPortion(work, step++, 'workflows', async (rows) => {
    for (const row of rows) {
      const graph = await importedGraph(work, row);
      if (typeof graph === 'string') throw new Error(`workflow ${row.id} ${graph}, though it was checked`);
      const body = { ...graph, ...portionOf([row]), check_only: false };
      const { stored } = await call('importWorkflow', { body });
      count('workflows', 1, stored);
      count('nodes', graph.nodes.length, stored * graph.nodes.length);
      count('edges', graph.edges.length, stored * graph.edges.length);
      // A workflow is a portion of its own: the next one begins behind it, also after a crash.
      job.cursor = { step: job.cursor.step, after: row.seq };
      await work.save();
    }
  });

  await eachPortion(work, step++, 'decisions', async (rows) => {
    const linked = rows.flatMap((row) => {
      const { supersedes, relates_to } = recordOf('decisions', row);
      return [...(supersedes ? [supersedes] : []), ...relates_to];
    });
    const known =
      job.ids === 'remap' ? await work.store.supersedesOf(job.id, [...new Set(linked)]) : new Map();
    const body = { ...portionOf(rows), decisions: records('decisions', rows, known) };
    count('decisions', rows.length, (await call('importDecisions', { body })).stored);
  });
  await eachPortion(work, step++, 'outcomes', async (rows) => {
    const body = { ...portionOf(rows), outcomes: records('outcomes', rows) };
    count('outcomes', rows.length, (await call('importOutcomes', { body })).stored);
  });
  await eachPortion(work, step++, 'history', async (rows) => {
    const body = { ...portionOf(rows), history: records('history', rows) };
    count('history', rows.length, (await call('importHistory', { body })).stored);
  });
  await eachPortion(work, step++, 'threads', async (rows) => {
    const body = { ...portionOf(rows), threads: records('threads', rows) };
    count('threads', rows.length, (await call('importThreads', { body })).stored);
  });
  await eachPortion(work, step++, 'messages', async (rows) => {
    const body = { ...portionOf(rows), messages: records('messages', rows) };
    count('messages', rows.length, (await call('importMessages', { body })).stored);
  });
  // Links are told by their decisions.
  progress.done.links = progress.total?.links ?? 0;
}
