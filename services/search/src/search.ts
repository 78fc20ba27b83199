import {
  ApiError,
  type CursorCodec,
  type InputOf,
  invalid,
  type operations,
  type SearchGroup,
  type SearchResult,
  searchGroups,
} from '@waymark/contracts';
import { JsonParts } from '@waymark/service-kit/http';
import type { LocalIndexes } from './index/local-indexes.ts';
import { type FindRequest, findHits } from './query/find-hits.ts';
import { type HitsJson, hitsJson, NO_HITS_JSON } from './query/hits-json.ts';
import type { KnownStates } from './revision-cache.ts';
import type { ScanTurns } from './scan-limiter.ts';
import type { ProjectionState, SearchStore } from './store/index.ts';
import { OutOfTime } from './store/items.ts';
import { fold } from './text/fold.ts';

export type SearchQuery = InputOf<(typeof operations)['search']>['query'];
/** Where an answer came from: this replica's index, or the projection read through; or from neither in time. */
export type AnswerSource = 'index' | 'scan' | 'none';

export function createSearch(options: {
  store: Pick<SearchStore, 'scan'>;
  states: Pick<KnownStates, 'of'>;
  indexes: Pick<LocalIndexes, 'find' | 'secondsUntil' | 'isTooLarge'>;
  scans: ScanTurns;
  cursors: CursorCodec;
  answered: (source: AnswerSource) => void;
}) {
  const { store, states, indexes, scans, cursors, answered } = options;

  /** What there is, as long as there is no index. */
  async function scan(workspaceId: string, state: ProjectionState, request: FindRequest): Promise<HitsJson> {
    try {
      const found = await scans.run(workspaceId, (timeLeftMs) =>
        findHits(store.scan(workspaceId, timeLeftMs), request),
      );
      answered('scan');
      return hitsJson(found);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      answered('none');
      // Part of what there is would be taken for all.
      throw new ApiError('SERVICE_UNAVAILABLE', {
        message: indexes.isTooLarge(workspaceId)
          ? 'This took too long without an index, for which the workspace is too large here; look for something that is found more often.'
          : 'Searches of this workspace are being prepared; try again after Retry-After seconds.',
        retryAfterSeconds: indexes.secondsUntil(workspaceId, state),
        cause: error,
      });
    }
  }

  /** A `SearchResult` in JSON. Throws VALIDATION_ERROR for a cursor of another search, SERVICE_UNAVAILABLE for want of an index and of time. */
  return async ({ workspace_id, q, limit, cursor }: SearchQuery): Promise<JsonParts> => {
    const folded = fold(q);
    const scope = JSON.stringify(['search', workspace_id, folded]);
    const { group, before } = positionOf(cursor === undefined ? null : cursors.decode(scope, cursor));
    const request = { q: folded, limit, group, before };
    const state = await states.of(workspace_id);
    let found: HitsJson | null = NO_HITS_JSON;
    if (state) {
      found = await indexes.find(workspace_id, state, request);
      if (found) answered('index');
      else found = await scan(workspace_id, state, request);
    }
    const nextOf = (group: SearchGroup) => {
      const { next } = found[group];
      return next === null ? null : cursors.encode(scope, [group, next]);
    };
    const next_cursors: SearchResult['next_cursors'] = {
      nodes: nextOf('nodes'),
      decisions: nextOf('decisions'),
      workflows: nextOf('workflows'),
    };
    const lists = searchGroups.map((group) => `"${group}":${found[group].hits}`);
    return new JsonParts([`{${lists},"next_cursors":${JSON.stringify(next_cursors)}}`]);
  };
}

function positionOf(cursor: readonly unknown[] | null): { group: SearchGroup | null; before: number | null } {
  if (!cursor) return { group: null, before: null };
  const [group, before] = cursor;
  if (!searchGroups.includes(group as SearchGroup) || typeof before !== 'number') {
    throw invalid('cursor', 'is not a cursor of a search');
  }
  return { group: group as SearchGroup, before };
}
