import { type ExportCollection, type Issue, importedRecords } from '@waymark/contracts';
import type { ImportRow } from '../../store/index.ts';
import { parentOf, type RecordOf } from '../work/import-row.ts';
import type { Found } from './json-records.ts';

/** A record of a file, as far as it depends on the file only. */
export type ParsedRow = Omit<
  ImportRow,
  '_id' | 'import_id' | 'workspace_id' | 'expires_at' | 'is_unlike' | 'is_new'
>;

/** A field of the document's head, or a record that its schema accepts or refuses. */
export type ParsedRecord =
  | { head: string; value: unknown }
  | { row: ParsedRow }
  | { collection: ExportCollection; issues: Issue[] };

export function parsedRecord(found: Found): ParsedRecord {
  if ('head' in found) return found;
  const { collection, index: seq, value } = found;
  const parsed = importedRecords[collection].safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: [collection, seq, ...path.map(String)].join('.'),
      message,
    }));
    return { collection, issues };
  }
  const record = parsed.data;
  const freeForm = freeFormOf(record);
  const isOfDecision = 'node_id' in record && record.node_id === null;
  const parentField = parentOf(collection, isOfDecision)?.[1];
  return {
    row: {
      collection,
      seq,
      id: identityOf(collection, record),
      parent: parentField ? (record as unknown as Record<string, string>)[parentField]! : null,
      supersedes: 'supersedes' in record ? record.supersedes : null,
      free_form_bytes: freeForm === null ? 0 : Buffer.byteLength(JSON.stringify(freeForm)),
      record: JSON.stringify(record),
    },
  };
}

function identityOf(collection: ExportCollection, record: RecordOf<ExportCollection>): string {
  if ('id' in record) return record.id;
  if (collection === 'history') {
    const { decision_id, version } = record as RecordOf<'history'>;
    return `${decision_id}/${version}`;
  }
  if (collection === 'approval_rules') return (record as RecordOf<'approval_rules'>).decision_type ?? '';
  const { source_id, target_id, kind } = record as RecordOf<'links'>;
  return `${source_id}/${target_id}/${kind}`;
}

function freeFormOf(record: RecordOf<ExportCollection>): unknown {
  if ('data' in record) return record.data;
  return 'condition' in record ? record.condition : null;
}
