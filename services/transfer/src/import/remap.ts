import type { ExportCollection } from '@waymark/contracts';
import { derivedId } from '@waymark/data-transfer';
import type { ImportRecord } from '../store/index.ts';
import type { RecordOf } from './reading/import-row.ts';

const REFERENCES = [
  'id',
  'workflow_id',
  'source_id',
  'target_id',
  'decision_id',
  'node_id',
  'thread_id',
] as const;

const LINKS = ['supersedes', 'relates_to'] as const;

/** The id under which an import stores what its file calls `id`: always the same one. */
function targetId({ id: importId, ids }: Pick<ImportRecord, 'id' | 'ids'>, id: string): string {
  return ids === 'keep' ? id : derivedId(importId, id, id);
}

/**
 * A record as it is stored: in the import's workspace, with all ids in it remapped if that is asked for. A link to a
 * decision that the file does not have (`known`) has no new id, and goes; also from what an update of it changed.
 */
export function placed<C extends ExportCollection>(
  job: Pick<ImportRecord, 'id' | 'ids' | 'workspace_id'>,
  record: RecordOf<C>,
  known?: ReadonlyMap<string, unknown>,
): RecordOf<C> {
  const moved: Record<string, unknown> = { ...record };
  if ('workspace_id' in moved) moved['workspace_id'] = job.workspace_id;
  if (job.ids === 'keep') return moved as RecordOf<C>;
  for (const field of REFERENCES) {
    const id = moved[field];
    if (typeof id === 'string') moved[field] = targetId(job, id);
  }
  const isKnown = (id: unknown) => typeof id === 'string' && known?.has(id) === true;
  if ('relates_to' in record) {
    for (const field of LINKS) moved[field] = remappedLinks(moved[field]);
  }
  if ('changes' in record) {
    const changes: Record<string, { before: unknown; after: unknown }> = { ...record.changes };
    for (const field of LINKS) {
      const change = changes[field];
      if (!change) continue;
      changes[field] = { before: remappedLinks(change.before), after: remappedLinks(change.after) };
    }
    moved['changes'] = changes;
  }
  return moved as RecordOf<C>;

  /** One link, or a list of them. */
  function remappedLinks(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter(isKnown).map((id: string) => targetId(job, id));
    return isKnown(value) ? targetId(job, value as string) : null;
  }
}

/** The decisions that a decision names, or an update of one, in its old state or its new one. */
export function linkedDecisions(record: RecordOf<'decisions'> | RecordOf<'history'>): string[] {
  const values: unknown[] = LINKS.flatMap((field) => {
    if (!('changes' in record)) return record[field];
    const { before, after } = record.changes[field] ?? {};
    return [before, after].flat();
  });
  return values.filter((value) => typeof value === 'string');
}
