import {
  ApiError,
  type InputOf,
  invalid,
  type operations,
  type SearchGroup,
  searchGroups,
} from '@waymark/contracts';
import { JsonParts, type RequestContext, tenantsOf } from '@waymark/service-kit/http';
import type { SearchContext } from './context.ts';
import { type FindRequest, findHits } from './query/find-hits.ts';
import { type HitsJson, hitsJson, NO_HITS_JSON } from './query/hits-json.ts';
import type { ProjectionState } from './store/index.ts';
import { OutOfTime } from './store/items.ts';
import { fold } from './text/fold.ts';

/** In this time an index takes in about 100,000 records. */
const RETRY_SECONDS = 10;

type SearchRequest = Pick<RequestContext, 'access' | 'principal' | 'clientAddress' | 'deadlineMs' | 'gone'>;
export type SearchQuery = InputOf<(typeof operations)['search']>['query'];

/** Returns a `SearchResult` in JSON. Throws VALIDATION_ERROR for a foreign cursor, SERVICE_UNAVAILABLE. */
export async function search(
  service: SearchContext,
  ctx: SearchRequest,
  { q, limit, cursor }: SearchQuery,
): Promise<JsonParts> {
  const { revisions, cursors } = service;
  const { workspaceId } = ctx.access;
  const folded = fold(q);
  const scope = JSON.stringify(['search', workspaceId, folded]);
  const { group, before } = positionOf(cursor === undefined ? null : cursors.decode(scope, cursor));
  const request = { q: folded, limit, group, before };
  const state = await revisions.get(workspaceId);
  const found = state ? await findIn(service, ctx, state, request) : NO_HITS_JSON;
  const nextOf = (group: SearchGroup) => {
    const { next } = found[group];
    return next === null ? null : cursors.encode(scope, [group, next]);
  };
  const next_cursors = Object.fromEntries(searchGroups.map((group) => [group, nextOf(group)]));
  const lists = searchGroups.map((group) => `"${group}":${found[group].hits}`);
  return new JsonParts([`{${lists},"next_cursors":${JSON.stringify(next_cursors)}}`]);
}

/** Asks the index, and scans the projection while there is none. */
async function findIn(
  { store, scans, indexes, countAnswer }: SearchContext,
  { access: { workspaceId }, principal, clientAddress, deadlineMs, gone }: SearchRequest,
  state: ProjectionState,
  request: FindRequest,
): Promise<HitsJson> {
  async function findIndexed(): Promise<HitsJson | null> {
    const found = await indexes.find(workspaceId, state, request);
    if (found) countAnswer('index');
    return found;
  }

  const indexed = await findIndexed();
  if (indexed) return indexed;
  try {
    // Each once: the workspace may be among those of the caller.
    const tenants = [...new Set([`workspace ${workspaceId}`, ...tenantsOf(principal, clientAddress)])];
    const found = await scans.run(tenants, { deadlineMs, gone: gone() }, (timeLeftMs) =>
      findHits(store.scan(workspaceId, timeLeftMs), request),
    );
    countAnswer('scan');
    return hitsJson(found);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    // In the time of a scan the index of a small workspace is built, even where the machine is busy.
    const late = await findIndexed();
    if (late) return late;
    countAnswer('none');
    // The hits so far are not returned, because clients would take a part for the complete result.
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
