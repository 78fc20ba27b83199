import { type ExportCollection, type Issue, importedRecords } from '@waymark/contracts';
import type { z } from 'zod';
import { type ImportRecord, type ImportRow, rowKey } from '../../store/index.ts';

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

function identityOf(collection: ExportCollection, record: Records[ExportCollection]): string {
  if ('id' in record) return record.id;
  if (collection === 'history') {
    const { decision_id, version } = record as Records['history'];
    return `${decision_id}/${version}`;
  }
  const { source_id, target_id, kind } = record as Records['links'];
  return `${source_id}/${target_id}/${kind}`;
}

function freeFormOf(record: Records[ExportCollection]): unknown {
  if ('data' in record) return record.data;
  return 'condition' in record ? record.condition : null;
}

export function importRow(
  { id: import_id, workspace_id }: ImportRecord,
  collection: ExportCollection,
  { seq, value, expires_at }: { seq: number; value: unknown; expires_at: Date },
): ImportRow | Issue[] {
  const parsed = importedRecords[collection].safeParse(value);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => ({
      path: [collection, seq, ...path.map(String)].join('.'),
      message,
    }));
  }
  const record = parsed.data;
  const id = identityOf(collection, record);
  const freeForm = freeFormOf(record);
  const parentField = parentOf[collection]?.[1];
  return {
    _id: rowKey(import_id, collection, id),
    import_id,
    workspace_id,
    collection,
    seq,
    id,
    parent: parentField ? (record as unknown as Record<string, string>)[parentField]! : null,
    supersedes: 'supersedes' in record ? record.supersedes : null,
    free_form_bytes: freeForm === null ? 0 : Buffer.byteLength(JSON.stringify(freeForm)),
    record: JSON.stringify(record),
    expires_at,
  };
}

export function recordOf<C extends ExportCollection>(_collection: C, row: ImportRow): RecordOf<C> {
  return JSON.parse(row.record) as RecordOf<C>;
}
