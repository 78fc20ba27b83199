import type { ExportCollection } from '@waymark/contracts';
import { derivedId } from '@waymark/data-transfer';
import type { ImportRecord } from '../../store/index.ts';
import type { RecordOf } from './import-row.ts';

const REFERENCES = [
  ...['id', 'workflow_id', 'source_id', 'target_id', 'decision_id', 'node_id', 'thread_id', 'reply_to'],
];
const LINKS = ['supersedes', 'relates_to'] as const;

/**
 * Returns a record as it is stored: in the import's workspace, with its importer, and with new ids if the
 * import remaps them. Remapping drops links to decisions that the file lacks, also from the changes of a
 * history entry.
 */
export function targetRecord<C extends ExportCollection>(
  job: ImportRecord,
  record: RecordOf<C>,
  known?: ReadonlyMap<string, unknown>,
): RecordOf<C> {
  const target: Record<string, unknown> = { ...record };
  if ('workspace_id' in target) target['workspace_id'] = job.workspace_id;
  if ('imported_by' in target) target['imported_by'] = job.created_by;
  if (job.ids === 'keep') return target as RecordOf<C>;
  // Derived from the file's id, so that a repeated portion gets the same one.
  const newId = (id: string) => derivedId(job.id, id, id);
  for (const field of REFERENCES) {
    const id = target[field];
    if (typeof id === 'string') target[field] = newId(id);
  }
  const isKnown = (id: unknown) => typeof id === 'string' && known?.has(id) === true;
  if ('relates_to' in record) {
    for (const field of LINKS) target[field] = remappedLinks(target[field]);
  }
  if ('changes' in record) {
    const changes: Record<string, { before: unknown; after: unknown }> = { ...record.changes };
    for (const field of LINKS) {
      const change = changes[field];
      if (!change) continue;
      changes[field] = { before: remappedLinks(change.before), after: remappedLinks(change.after) };
    }
    target['changes'] = changes;
  }
  return target as RecordOf<C>;

  function remappedLinks(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter(isKnown).map(newId);
    return isKnown(value) ? newId(value as string) : null;
  }
}

/** Returns the decisions that a decision links to; for a history entry, those before and after the change. */
export function linkedDecisions(record: RecordOf<'decisions'> | RecordOf<'history'>): string[] {
  const values: unknown[] = LINKS.flatMap((field) => {
    if (!('changes' in record)) return record[field];
    const { before, after } = record.changes[field] ?? {};
    return [before, after].flat();
  });
  return values.filter((value) => typeof value === 'string');
}
