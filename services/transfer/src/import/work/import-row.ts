import type { ExportCollection, importedRecords } from '@waymark/contracts';
import type { z } from 'zod';
import type { ImportRow } from '../../store/index.ts';

type Records = { [C in ExportCollection]: z.output<(typeof importedRecords)[C]> };
export type RecordOf<C extends ExportCollection> = Records[C];

/** The collection that a record belongs to, and the field that names its record there. */
export const parentOf: { [C in ExportCollection]?: [ExportCollection, keyof Records[C] & string] } = {
  nodes: ['workflows', 'workflow_id'],
  edges: ['workflows', 'workflow_id'],
  outcomes: ['decisions', 'decision_id'],
  history: ['decisions', 'decision_id'],
  threads: ['nodes', 'node_id'],
  messages: ['threads', 'thread_id'],
};

export function recordOf<C extends ExportCollection>(_collection: C, row: ImportRow): RecordOf<C> {
  return JSON.parse(row.record) as RecordOf<C>;
}
