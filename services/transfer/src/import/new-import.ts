import { type ImportJob, userOf } from '@waymark/contracts';
import { clientNetwork, type RequestContext } from '@waymark/service-kit/http';
import { type ImportRecord, noCounts } from '../store/index.ts';

const DAY_MS = 86_400_000;
const JOB_DAYS = 30;

export interface ImportOptions {
  workspace_id: string;
  dry_run: boolean;
  ids: ImportJob['ids'];
}

export const importedEvent = ({ id, workspace_id, dry_run, ids }: ImportJob) => ({
  subject: { type: 'workspace', id: workspace_id, version: 1 } as const,
  data: { import_id: id, dry_run, ids },
});

export function newImport(
  { actor, principal, clientAddress }: Pick<RequestContext, 'actor' | 'principal' | 'clientAddress'>,
  options: ImportOptions,
  {
    id,
    format,
    chunks,
    ahead,
    atMs,
  }: Pick<ImportRecord, 'id' | 'format' | 'chunks' | 'ahead'> & { atMs: number },
): ImportRecord {
  return {
    id,
    ...options,
    status: 'queued',
    phase: 'reading',
    progress: {
      done: noCounts(),
      total: null,
      stored: noCounts(),
      present: noCounts(),
      left_out: noCounts(),
    },
    issues: [],
    issue_count: 0,
    warnings: [],
    warning_count: 0,
    created_by: { type: actor.type, id: actor.id, name: actor.name },
    created_at: new Date(atMs).toISOString(),
    started_at: null,
    finished_at: null,
    format,
    chunks,
    fence: 0,
    user_id: userOf(principal),
    network: clientAddress && clientNetwork(clientAddress),
    ahead,
    queued_at: new Date(atMs),
    cursor: { step: 0, after: -1 },
    failures: 0,
    claims_without_progress: 0,
    furthest_piece: 0,
    expires_at: new Date(atMs + JOB_DAYS * DAY_MS),
  };
}
