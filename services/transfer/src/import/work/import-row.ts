import type { ExportCollection, importedRecords } from '@waymark/contracts';
import type { z } from 'zod';
import type { ImportRow } from '../../store/index.ts';

type Records = { [C in ExportCollection]: z.output<(typeof importedRecords)[C]> };
export type RecordOf<C extends ExportCollection> = Records[C];

type Parent<C extends ExportCollection = ExportCollection> = [ExportCollection, keyof Records[C] & string];
const PARENTS: { [C in ExportCollection]?: Parent<C> } = {
  nodes: ['workflows', 'workflow_id'],
  edges: ['workflows', 'workflow_id'],
  outcomes: ['decisions', 'decision_id'],
  approvals: ['decisions', 'decision_id'],
  forecasts: ['decisions', 'decision_id'],
  history: ['decisions', 'decision_id'],
  threads: ['nodes', 'node_id'],
  messages: ['threads', 'thread_id'],
};
const DECISION: Parent<'threads'> = ['decisions', 'decision_id'];

/** Returns the collection that a record belongs to, and the field that names its record there. */
export function parentOf(
  collection: ExportCollection,
  isOfDecision: boolean,
): readonly [ExportCollection, string] | undefined {
  return collection === 'threads' && isOfDecision ? DECISION : PARENTS[collection];
}

export function recordOf<C extends ExportCollection>(_collection: C, row: ImportRow): RecordOf<C> {
  return JSON.parse(row.record) as RecordOf<C>;
}
