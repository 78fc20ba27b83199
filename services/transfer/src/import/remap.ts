import type { ExportCollection } from '@waymark/contracts';
import { derivedId } from '@waymark/service-kit';
import type { ImportRecord } from '../store/imports.ts';
import type { RecordOf } from './import-row.ts';

const REFERENCES = [
  'id',
  'workflow_id',
  'source_id',
  'target_id',
  'decision_id',
  'node_id',
  'thread_id',
] as const;

/** The id under which an import stores what its file calls `id`: always the same one. */
function targetId({ id: importId, ids }: Pick<ImportRecord, 'id' | 'ids'>, id: string): string {
  return ids === 'keep' ? id : derivedId(importId, id, id);
}

/**
 * A record as it is stored: in the import's workspace, with all ids in it remapped if that is asked for. A link to a
 * decision that the file does not have (`known`) has no new id, and goes.
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
  if ('relates_to' in record) {
    const { supersedes, relates_to } = record;
    moved['supersedes'] = supersedes && known?.has(supersedes) ? targetId(job, supersedes) : null;
    moved['relates_to'] = relates_to.filter((id) => known?.has(id)).map((id) => targetId(job, id));
  }
  return moved as RecordOf<C>;
}
