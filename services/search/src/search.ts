import {
  ApiError,
  type InputOf,
  invalid,
  type operations,
  type SearchGroup,
  type SearchHits,
  searchGroups,
} from '@waymark/contracts';
import type { ScanRequest } from '@waymark/service-kit/http';
import { isOutOfTime } from '@waymark/service-kit/store';
import type { SearchContext } from './context.ts';
import { type FindRequest, type Found, findHits, NOTHING_FOUND } from './query/find-hits.ts';
import type { ProjectionState } from './store/index.ts';
import { fold } from './text/fold.ts';

/** In this time an index takes in about 100,000 records. */
const RETRY_SECONDS = 10;

export type SearchQuery = InputOf<(typeof operations)['search']>['query'];

/** Throws VALIDATION_ERROR for a foreign cursor, SERVICE_UNAVAILABLE. */
export async function search(
  service: SearchContext,
  ctx: ScanRequest,
  { q, limit, cursor }: SearchQuery,
): Promise<SearchHits> {
  const { revisions, cursors } = service;
  const { workspaceId } = ctx.access;
  const folded = fold(q);
  const scope = JSON.stringify(['search', workspaceId, folded]);
  const { group, before } = positionOf(cursor === undefined ? null : cursors.decode(scope, cursor));
  const request = { q: folded, limit, group, before };
  const state = await revisions.get(workspaceId);
  const found = state ? await findIn(service, ctx, state, request) : NOTHING_FOUND;
  const ofGroups = (pick: (group: SearchGroup) => unknown) =>
    Object.fromEntries(searchGroups.map((group) => [group, pick(group)]));
  const next_cursors = ofGroups((group) => {
    const { next } = found[group];
    return next === null ? null : cursors.encode(scope, [group, next]);
  });
  return { ...ofGroups((group) => found[group].hits), next_cursors } as SearchHits;
}

/** Searches the index, or scans the projection while there is no index. */
async function findIn(
  { store, scan, scanTimeoutMs, indexes, countAnswer }: SearchContext,
  { access, principal, clientAddress, deadlineMs, gone, leaveEarly }: ScanRequest,
  state: ProjectionState,
  request: FindRequest,
): Promise<Found> {
  const { workspaceId } = access;
  async function findIndexed(): Promise<Found | null> {
    const found = await indexes.find(workspaceId, state, request);
    if (found) countAnswer('index');
    return found;
  }

  const indexed = await findIndexed();
  if (indexed) return indexed;
  const untilMs = Math.min(performance.now() + scanTimeoutMs, deadlineMs);
  try {
    const found = await scan(
      { access, principal, clientAddress, deadlineMs: untilMs, leaveEarly, gone },
      (bounded) => findHits(store.scan(workspaceId, bounded), request),
    );
    countAnswer('scan');
    return found;
  } catch (error) {
    // The shares, MongoDB or `bounded` ended it.
    if (!(error instanceof ApiError || isOutOfTime(error))) throw error;
    // During the scan, the index of a small workspace has been built, even on a busy machine.
    const late = await findIndexed();
    if (late) return late;
    countAnswer('none');
    // Does not return the hits so far: clients would take them for the complete result.
    throw new ApiError('SERVICE_UNAVAILABLE', {
      message: indexes.isTooLarge(workspaceId)
        ? 'The search took too long because this workspace is too large for an index here. Search for a more frequent text.'
        : 'The search index of this workspace is being built. Try again after Retry-After seconds.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    });
  }
}

function positionOf(cursor: readonly unknown[] | null): { group: SearchGroup | null; before: number | null } {
  if (!cursor) return { group: null, before: null };
  const [group, before] = cursor;
  if (!searchGroups.includes(group as SearchGroup) || typeof before !== 'number') {
    throw invalid('cursor', 'is not a cursor of a search');
  }
  return { group: group as SearchGroup, before };
}
