import {
  type CursorCodec,
  type InputOf,
  invalid,
  type operations,
  type SearchGroup,
  type SearchResult,
  searchGroups,
} from '@waymark/contracts';
import { type Found, type FoundPage, findHits, NOTHING_FOUND } from './find-hits.ts';
import { fold } from './fold.ts';
import type { LocalIndexes } from './index/local-indexes.ts';
import type { KnownStates } from './known-states.ts';
import type { SearchStore } from './store.ts';

export type SearchQuery = InputOf<(typeof operations)['search']>['query'];
/** Where an answer came from: this replica's index, or the projection read through. */
export type AnswerSource = 'index' | 'scan';

export function createSearch(options: {
  store: Pick<SearchStore, 'scan'>;
  states: Pick<KnownStates, 'of'>;
  indexes: Pick<LocalIndexes, 'ask'>;
  cursors: CursorCodec;
  answered: (source: AnswerSource) => void;
}) {
  const { store, states, indexes, cursors, answered } = options;

  /** Throws VALIDATION_ERROR for a cursor of another search. */
  return async ({ workspace_id, q, limit, cursor }: SearchQuery): Promise<SearchResult> => {
    const folded = fold(q);
    const scope = JSON.stringify(['search', workspace_id, folded]);
    const { group, before } = positionOf(cursor === undefined ? null : cursors.decode(scope, cursor));
    const request = { q: folded, limit, group, before };
    const indexed = indexes.ask(workspace_id, request);
    const state = await states.of(workspace_id);
    let found: Found | null = NOTHING_FOUND;
    if (state) {
      found = await indexed(state);
      answered(found ? 'index' : 'scan');
      found ??= await findHits(store.scan(workspace_id), request);
    }
    const nextOf = (group: SearchGroup) => {
      const { next } = found[group];
      return next === null ? null : cursors.encode(scope, [group, next]);
    };
    return {
      nodes: recordsOf<'nodes'>(found.nodes),
      decisions: recordsOf<'decisions'>(found.decisions),
      workflows: recordsOf<'workflows'>(found.workflows),
      next_cursors: {
        nodes: nextOf('nodes'),
        decisions: nextOf('decisions'),
        workflows: nextOf('workflows'),
      },
    };
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

/** What the item of a record put into `shown` is what its group's hits show. */
function recordsOf<G extends SearchGroup>({ hits }: FoundPage): SearchResult[G] {
  return hits.map(({ id, shown, highlights }) => ({ id, ...shown, highlights })) as SearchResult[G];
}
