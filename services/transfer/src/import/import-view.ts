import type { ImportJob } from '@waymark/contracts';
import type { ImportRecord } from '../store/index.ts';

/** An import as callers see it. */
export function importView(record: ImportRecord): ImportJob {
  const { id, workspace_id, status, phase, dry_run, ids, progress } = record;
  const { issues, issue_count, warnings, warning_count } = record;
  const { created_by, created_at, started_at, finished_at } = record;
  const told = { issues, issue_count, warnings, warning_count };
  return {
    id,
    workspace_id,
    status,
    phase,
    dry_run,
    ids,
    progress,
    ...told,
    created_by,
    created_at,
    started_at,
    finished_at,
  };
}
