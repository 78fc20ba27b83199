import { ApiError, etagOf } from '@waymark/contracts';
import type { RequestContext } from './request-context.ts';
import { matches, namedWeakly } from './respond.ts';

/**
 * Authorizes the caller for a record that was found by its id alone. Throws NOT_FOUND without a record, the
 * refusal for its workspace, or `ctx.missing` if the request names another workspace.
 */
export async function authorizeRecord<T extends { workspace_id: string }>(
  ctx: RequestContext,
  record: T | null,
  named?: string,
): Promise<T> {
  if (!record) throw new ApiError('NOT_FOUND');
  await ctx.authorize(record.workspace_id);
  if (named !== undefined && named !== record.workspace_id) throw await ctx.missing(named);
  return record;
}

/** Returns a record of the authorized workspace. Throws `ctx.missing` for any other. */
export async function requireRecord<T extends { workspace_id: string }>(
  ctx: RequestContext,
  record: T | null,
): Promise<T> {
  if (record?.workspace_id === ctx.access.workspaceId) return record;
  throw await ctx.missing(record?.workspace_id ?? null);
}

/** Throws PRECONDITION_FAILED when If-Match names another version, or If-None-Match this one. */
export function requireMatch(
  { ifMatch, ifNoneMatch }: Pick<RequestContext, 'ifMatch' | 'ifNoneMatch'>,
  { version }: { version: number },
): void {
  const etag = etagOf(version);
  if (ifMatch !== undefined && !matches(ifMatch, etag)) throw new ApiError('PRECONDITION_FAILED');
  if (namedWeakly(ifNoneMatch, etag)) {
    const message = `The resource exists, with the ETag ${etag}, which If-None-Match excludes.`;
    throw new ApiError('PRECONDITION_FAILED', { message });
  }
}

/** Throws CONFLICT if another record of the workspace has the external id that `after` got. */
export async function checkExternalId<T extends { workspace_id: string; external_id: string | null }, S>(
  kind: 'decision' | 'node',
  find: (workspaceId: string, externalId: string, session: S) => Promise<{ id: string } | null>,
  { before, after: { workspace_id, external_id } }: { before: T | null; after: T },
  session: S,
): Promise<void> {
  if (external_id === null || external_id === before?.external_id) return;
  const other = await find(workspace_id, external_id, session);
  if (other) throw externalIdTaken(kind, other);
}

export function externalIdTaken(kind: string, { id }: { id: string }, path = 'externalId'): ApiError {
  const message = `The ${kind} ${id} has this external id already.`;
  return new ApiError('CONFLICT', { message, issues: [{ path, message: `is that of the ${kind} ${id}` }] });
}

/** A path may have thousands of records; its ends show where to look. */
const SHOWN_AT_EACH_END = 10;

/** Writes the path of a cycle for a message; of a long path, both ends. */
export function cycleText(names: readonly string[]): string {
  const hidden = names.length - 2 * SHOWN_AT_EACH_END;
  if (hidden <= 1) return names.join(' -> ');
  const head = names.slice(0, SHOWN_AT_EACH_END);
  return [...head, `(${hidden} more)`, ...names.slice(-SHOWN_AT_EACH_END)].join(' -> ');
}
