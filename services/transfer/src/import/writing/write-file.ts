import type { ExportCollection } from '@waymark/contracts';
import type { StoredOrLeftOut } from '@waymark/data-transfer';
import type { ImportRow } from '../../store/index.ts';
import { importedGraph } from '../imported-graph.ts';
import { type RecordOf, recordOf } from '../reading/import-row.ts';
import { linkedDecisions, placed } from '../remap.ts';
import { eachPortion, type Work } from '../work.ts';

/** Why a record is neither stored nor there. */
const LEFT_OUT: { [C in ExportCollection]?: string } = {
  nodes: 'is left out: its workflow is here already, and stays as it is',
  edges: 'is left out: its workflow is here already, and stays as it is',
  outcomes: 'is left out: its decision is here in another state, or deleted',
  history: 'is left out: its decision is here in another state, or deleted',
  threads: 'is left out: its node is not here, or has another thread',
  messages: 'is left out: its thread is not here',
};

/** Stores the records of a file that was found valid, each portion once: parents before what belongs to them. */
export async function writeFile(work: Work): Promise<void> {
  const { job, call, store } = work;
  const { workspace_id } = job;
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

  await eachPortion(work, step++, 'workflows', async (rows) => {
    for (const row of rows) {
      const imported = await importedGraph(work, row);
      if (typeof imported === 'string')
        throw new Error(`workflow ${row.id} ${imported}, though it was checked`);
      const { workflow, nodes, edges } = imported.graph;
      const body = { ...imported.graph, ...portionOf([row]), check_only: false };
      const told = await call('importWorkflow', { body });
      const { stored } = told;
      tell(work, 'workflows', [row], [workflow], { stored, left_out: [] });
      tell(work, 'nodes', imported.rows.nodes, nodes, { ...told, stored: stored * nodes.length });
      tell(work, 'edges', imported.rows.edges, edges, { ...told, stored: stored * edges.length });
      // A workflow is a portion of its own: the next one begins behind it, also after a crash.
      job.cursor = { step: job.cursor.step, after: row.seq };
      await work.save();
    }
  });

  await eachPortion(work, step++, 'decisions', async (rows) => {
    const decisions = records('decisions', rows, await knownAmong(work, 'decisions', rows));
    const { stored, unlike } = await call('importDecisions', { body: { ...portionOf(rows), decisions } });
    const isUnlike = new Set(unlike);
    await store.markUnlike(rows.filter((_, i) => isUnlike.has(decisions[i]!.id)).map(({ _id }) => _id));
    tell(work, 'decisions', rows, decisions, { stored, left_out: [] });
  });
  await eachPortion(work, step++, 'outcomes', async (rows) => {
    const outcomes = records('outcomes', rows);
    const body = { ...portionOf(rows), outcomes, ...(await unlikeOf(work, rows, outcomes)) };
    tell(work, 'outcomes', rows, outcomes, await call('importOutcomes', { body }));
  });
  await eachPortion(work, step++, 'history', async (rows) => {
    const history = records('history', rows, await knownAmong(work, 'history', rows));
    const body = { ...portionOf(rows), history, ...(await unlikeOf(work, rows, history)) };
    tell(work, 'history', rows, history, await call('importHistory', { body }));
  });
  await eachPortion(work, step++, 'threads', async (rows) => {
    const threads = records('threads', rows);
    const body = { ...portionOf(rows), threads };
    tell(work, 'threads', rows, threads, await call('importThreads', { body }));
  });
  await eachPortion(work, step++, 'messages', async (rows) => {
    const messages = records('messages', rows);
    const body = { ...portionOf(rows), messages };
    tell(work, 'messages', rows, messages, await call('importMessages', { body }));
  });
  // Links are told by their decisions.
  job.progress.done.links = job.progress.total?.links ?? 0;
}

type Named = { id: string } | { decision_id: string; version: number };

/** As a service names what it leaves out. */
const nameOf = (record: Named) => ('id' in record ? record.id : `${record.decision_id}/${record.version}`);

/** Counts what became of records, and says which were left out. A service of the version before names none. */
function tell(
  { job: { progress }, report }: Work,
  collection: ExportCollection,
  rows: ImportRow[],
  sent: Named[],
  { stored, left_out = [] }: StoredOrLeftOut,
): void {
  const isLeftOut = new Set(left_out);
  const lost = rows.filter((_, i) => isLeftOut.has(nameOf(sent[i]!)));
  for (const { seq } of lost) report.warn(`${collection}.${seq}`, LEFT_OUT[collection]!);
  progress.done[collection] += rows.length;
  progress.stored[collection] += stored;
  progress.left_out[collection] += lost.length;
  progress.present[collection] += rows.length - stored - lost.length;
}

/** Which of the decisions that records name the file has; asked only where their ids change. */
async function knownAmong(
  { job, store }: Work,
  collection: 'decisions' | 'history',
  rows: ImportRow[],
): Promise<Map<string, unknown>> {
  if (job.ids === 'keep') return new Map();
  const named = rows.flatMap((row) => linkedDecisions(recordOf(collection, row)));
  return store.supersedesOf(job.id, [...new Set(named)]);
}

/** Which decisions of these records are in the workspace in another state; nothing where none is. */
async function unlikeOf(
  { job, store }: Work,
  rows: ImportRow[],
  sent: { decision_id: string }[],
): Promise<{ unlike?: string[] }> {
  const found = await store.unlikeOf(job.id, [...new Set(rows.map(({ parent }) => parent!))]);
  if (found.size === 0) return {};
  return {
    unlike: [
      ...new Set(sent.filter((_, i) => found.has(rows[i]!.parent!)).map(({ decision_id }) => decision_id)),
    ],
  };
}
