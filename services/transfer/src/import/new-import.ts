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
    atMs,
    ...file
  }: Pick<ImportRecord, 'id' | 'format' | 'chunks' | 'ahead' | 'quality_model' | 'sets_rules'> & {
    atMs: number;
  },
): ImportRecord {
  const { type, id, name } = actor;
  const [done, stored, present, left_out] = [noCounts(), noCounts(), noCounts(), noCounts()];
  return {
    ...file,
    ...options,
    status: 'queued',
    phase: 'reading',
    progress: { done, total: null, stored, present, left_out },
    issues: [],
    issue_count: 0,
    warnings: [],
    warning_count: 0,
    created_by: { type, id, name },
    created_at: new Date(atMs).toISOString(),
    started_at: null,
    finished_at: null,
    fence: 0,
    user_id: userOf(principal),
    network: clientAddress && clientNetwork(clientAddress),
    queued_at: new Date(atMs),
    cursor: { step: 0, after: -1 },
    failures: 0,
    claims_without_progress: 0,
    furthest_piece: 0,
    expires_at: new Date(atMs + JOB_DAYS * DAY_MS),
  };
}
