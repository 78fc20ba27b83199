import type { ExportCollection } from '@waymark/contracts';
import type { ImportPortion, StoredOrLeftOut } from '@waymark/data-transfer';
import { memberNames, withMemberIds } from '../../madr/members.ts';
import type { ImportRow } from '../../store/index.ts';
import { parentOf, type RecordOf, recordOf } from '../work/import-row.ts';
import { importedGraph } from '../work/imported-graph.ts';
import { linkedDecisions, targetRecord } from '../work/remap.ts';
import { eachPortion, type Work } from '../work/work.ts';

const WORKFLOW_EXISTS = 'is left out: the workspace has its workflow already, which stays as it is';
const DECISION_DIFFERS = 'is left out: the workspace has its decision in another state, or has deleted it';
const EXTERNAL_ID_TAKEN = 'is left out: another record has it';
const NEEDS_APPROVAL = 'is proposed: by a rule, accepting it needs approvals, and no person imports it';
const MAY_NOT_SET_RULES =
  'is left out: only an admin who signs in sets rules of approvals by an import; import the file again';
const LEFT_OUT: { [C in ExportCollection]?: string } = {
  nodes: WORKFLOW_EXISTS,
  edges: WORKFLOW_EXISTS,
  outcomes: DECISION_DIFFERS,
  approvals: DECISION_DIFFERS,
  forecasts: `${DECISION_DIFFERS}, or has a forecast of the same person`,
  history: DECISION_DIFFERS,
  threads: 'is left out: the workspace lacks its node or decision, or has another thread on it',
  messages: 'is left out: the workspace lacks its thread',
};

/**
 * Stores the records of a valid file, each portion once, parents before the records that belong to them.
 * A dry run asks the services what they would store.
 */
export async function writeFile(work: Work, firstStep: number): Promise<void> {
  const { job, call, store } = work;
  let step = firstStep;

  const write = <
    C extends 'decisions' | 'outcomes' | 'approvals' | 'forecasts' | 'history' | 'threads' | 'messages',
  >(
    collection: C,
    send: (portion: ImportPortion, records: RecordOf<C>[], rows: ImportRow[]) => Promise<StoredOrLeftOut>,
  ) =>
    eachPortion(work, step++, collection, async (portion) => {
      const rows = job.dry_run ? await withKnownParents(work, collection, portion) : portion;
      if (rows.length === 0) return;
      const known = await knownDecisions(work, collection, rows);
      const records = rows.map((row) => targetRecord<C>(job, recordOf(collection, row), known));
      count(work, collection, rows, records, await send(portionOf(work, rows), records, rows));
    });

  await eachPortion(work, step++, 'workflows', async (rows) => {
    for (const row of rows) {
      await writeWorkflow(work, row);
      // Each workflow is a portion of its own. After a crash, the work continues after the last one.
      job.cursor = { step: job.cursor.step, after: row.seq };
      await work.save();
    }
  });
  // Markdown names members. Other names stay as they are.
  const names = job.format === 'zip' ? await memberNames(call, job.workspace_id) : null;
  await write('decisions', async (portion, records, rows) => {
    const decisions = names ? records.map((record) => withMemberIds(record, names.idOf)) : records;
    const told = await call('importDecisions', { body: { ...portion, decisions } });
    const { stored, unnamed, unlike, proposed = [] } = told;
    await store.rows.markUnlike(keysOf(rowsOf(rows, decisions, unlike)));
    for (const { seq } of rowsOf(rows, decisions, proposed))
      work.report.warn(`decisions.${seq}.status`, NEEDS_APPROVAL);
    return { stored, left_out: [], unnamed };
  });
  await write('outcomes', async (portion, outcomes, rows) =>
    call('importOutcomes', { body: { ...portion, outcomes, ...(await differing(work, rows, outcomes)) } }),
  );
  await write('approvals', async (portion, approvals, rows) =>
    call('importApprovals', { body: { ...portion, approvals, ...(await differing(work, rows, approvals)) } }),
  );
  await write('forecasts', async (portion, forecasts, rows) =>
    call('importForecasts', { body: { ...portion, forecasts, ...(await differing(work, rows, forecasts)) } }),
  );
  await write('history', async (portion, history, rows) =>
    call('importHistory', { body: { ...portion, history, ...(await differing(work, rows, history)) } }),
  );
  await write('threads', async (portion, threads, rows) => {
    const told = await call('importThreads', { body: { ...portion, threads } });
    const lost = rows.filter(({ id }) => told.left_out.includes(id));
    // A dry run asks about their messages, which are left out as well.
    if (job.dry_run) await store.rows.markNew(keysOf(lost), false);
    return told;
  });
  await write('messages', (portion, messages) => call('importMessages', { body: { ...portion, messages } }));
  await eachPortion(work, step++, 'links', (rows) => countLinks(work, rows));
  // Last: a rule holds for later acceptances, not for those of the file.
  await eachPortion(work, step++, 'approval_rules', (rows) => writeRules(work, rows));
}

const keysOf = (rows: ImportRow[]) => rows.map(({ _id }) => _id);

/** Returns the records that a dry run can ask about: the parents of the others are not stored yet. */
async function withKnownParents({ job, store }: Work, collection: ExportCollection, rows: ImportRow[]) {
  if (job.ids === 'remap') return [];
  // A thread belongs to a node or to a decision.
  const parents = new Set(
    [false, true].flatMap((isOfDecision) => parentOf(collection, isOfDecision)?.[0] ?? []),
  );
  const ids = rows.map(({ parent }) => parent!);
  const areNew = await Promise.all([...parents].map((one) => store.rows.newAmong(job.id, one, ids)));
  return rows.filter(({ parent }) => !areNew.some((isNew) => isNew.get(parent!)));
}

/** Counts links as the decisions service derives them: from new decisions. */
async function countLinks({ job, store }: Work, rows: ImportRow[]): Promise<void> {
  const { done, stored, present, left_out } = job.progress;
  const links = rows.map((row) => recordOf('links', row));
  const sources = links.map(({ source_id }) => source_id);
  const isNew = await store.rows.newAmong(job.id, 'decisions', sources);
  const unlike = await store.rows.unlikeAmong(job.id, sources);
  const targets = await store.rows.supersedes(
    job.id,
    links.map(({ target_id }) => target_id),
  );
  for (const { source_id, target_id } of links) {
    const isCopied = job.ids === 'remap' && targets.has(target_id);
    if (isCopied || isNew.get(source_id)) stored.links += job.dry_run ? 0 : 1;
    else if (job.ids === 'remap' || unlike.has(source_id) || !isNew.has(source_id)) left_out.links += 1;
    else present.links += 1;
  }
  if (!job.dry_run) done.links += rows.length;
}

/** Stores all rules of the file, which are one portion. */
async function writeRules(work: Work, rows: ImportRow[]): Promise<void> {
  const { job, call, report } = work;
  const { created_by, progress, sets_rules } = job;
  const rules = rows.map((row) => recordOf('approval_rules', row));
  const { stored, refused } = sets_rules
    ? await call('importApprovalRules', { body: { ...portionOf(work, rows), rules, created_by } })
    : { stored: 0, refused: rows.map((_, i) => ({ path: `${i}`, message: MAY_NOT_SET_RULES })) };
  for (const { path, message } of refused) report.warn(`approval_rules.${path}`, message);
  // All are stored, or none.
  if (stored > 0) for (const [i, rule] of rules.entries()) report.warn(`approval_rules.${i}`, isSet(rule));
  progress.left_out.approval_rules = refused.length;
  progress.present.approval_rules = rules.length - stored - refused.length;
  if (job.dry_run) return;
  progress.done.approval_rules = rules.length;
  progress.stored.approval_rules = stored;
}

const isSet = ({ decision_type: type, approvals, role, mode }: RecordOf<'approval_rules'>) =>
  `is set: decisions of ${type ?? 'all other types'} need ${approvals} approvals by the role ${role} or higher (${mode})`;

async function writeWorkflow(work: Work, row: ImportRow): Promise<void> {
  const imported = await importedGraph(work, row);
  if (typeof imported === 'string')
    throw new Error(`workflow ${row.id} ${imported}, although it passed the check`);
  const { graph, rows } = imported;
  const body = { ...graph, ...portionOf(work, [row]) };
  const { stored, left_out, unnamed } = await work.call('importWorkflow', { body });
  count(work, 'workflows', [row], [graph.workflow], { stored, left_out: [] });
  for (const collection of ['nodes', 'edges'] as const) {
    const sent = graph[collection];
    count(work, collection, rows[collection], sent, { stored: stored * sent.length, left_out, unnamed });
  }
}

/** The workspace and the name of a portion. The other service stores a portion with the same name once. */
function portionOf({ job }: Work, rows: ImportRow[]): ImportPortion {
  const { id, workspace_id, dry_run: check_only } = job;
  const { collection, seq } = rows[0]!;
  return { workspace_id, portion: `${id}/${collection}/${seq}`, check_only };
}

type Sent = { id: string } | { decision_id: string; version: number };

const keyOf = (record: Sent) => ('id' in record ? record.id : `${record.decision_id}/${record.version}`);

/** The rows whose records, in the same order, have these keys. */
function rowsOf(rows: ImportRow[], sent: Sent[], keys: string[]): ImportRow[] {
  const isAmong = new Set(keys);
  return rows.filter((_, i) => isAmong.has(keyOf(sent[i]!)));
}

/** Counts the results for a portion's records and warns about each skipped record. */
function count(
  { job: { progress, dry_run }, report }: Work,
  collection: ExportCollection,
  rows: ImportRow[],
  sent: Sent[],
  { stored, left_out, unnamed = [] }: StoredOrLeftOut,
) {
  for (const { seq } of rowsOf(rows, sent, unnamed))
    report.warn(`${collection}.${seq}.external_id`, EXTERNAL_ID_TAKEN);
  const lost = rowsOf(rows, sent, left_out);
  for (const { seq } of lost) report.warn(`${collection}.${seq}`, LEFT_OUT[collection]!);
  if (!dry_run) {
    progress.done[collection] += rows.length;
    progress.stored[collection] += stored;
  }
  progress.left_out[collection] += lost.length;
  progress.present[collection] += rows.length - stored - lost.length;
}

/** Returns the linked decisions that are in the file. Only remapping needs them. */
async function knownDecisions({ job, store }: Work, collection: ExportCollection, rows: ImportRow[]) {
  if (job.ids === 'keep' || (collection !== 'decisions' && collection !== 'history')) return new Map();
  const linked = rows.flatMap((row) => linkedDecisions(recordOf(collection, row)));
  return store.rows.supersedes(job.id, linked);
}

/** Returns the decisions of these records that differ in the workspace; an empty object if there are none. */
async function differing({ job, store }: Work, rows: ImportRow[], sent: { decision_id: string }[]) {
  const parents = rows.map(({ parent }) => parent!);
  const found = await store.rows.unlikeAmong(job.id, parents);
  if (found.size === 0) return {};
  const ids = sent.filter((_, i) => found.has(parents[i]!)).map(({ decision_id }) => decision_id);
  return { unlike: [...new Set(ids)] };
}
