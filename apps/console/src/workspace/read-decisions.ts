import type { operations } from '@waymark/client/api';
import { api } from '../api/client.ts';

type Query = NonNullable<operations['listDecisions']['parameters']['query']>;

/** Reads a page of decisions, for usePaged. */
export async function readDecisions(query: Query) {
  const { decisions: data, next_cursor } = await api.get('/decisions', query);
  return { data, next_cursor };
}
