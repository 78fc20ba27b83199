import { type ImportJob, MEBIBYTE } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type ImportFormat, type ImportRecord, noCounts } from '../store/index.ts';

/** Of each piece of a file but the last. */
export const CHUNK_BYTES = MEBIBYTE;
const JOB_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a caller says of an import. */
export interface Given {
  workspace_id: string;
  dry_run: boolean;
  ids: ImportJob['ids'];
}

/** An import whose file is there, and that nobody is at. */
export function newImport(
  { actor }: RequestContext,
  given: Given,
  { id, format, chunks, atMs }: { id: string; format: ImportFormat; chunks: number; atMs: number },
): ImportRecord {
  return {
    id,
    ...given,
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
    chunk_bytes: CHUNK_BYTES,
    fence: 0,
    leased_until: '',
    due_at: new Date(atMs).toISOString(),
    cursor: { step: 0, after: -1 },
    failures: 0,
    lost_claims: 0,
    furthest: 0,
    expires_at: new Date(atMs + JOB_DAYS * DAY_MS),
  };
}
