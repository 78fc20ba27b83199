import type { FetchOptions } from 'openapi-fetch';
import { unwrap, type WaymarkClient } from './client.ts';
import { listFields } from './operations.ts';
import type { paths } from './schema.ts';

/** A path whose answers have pages. */
export type ListPath = keyof typeof listFields;

type PageOf<P extends ListPath> = paths[P]['get']['responses'][200]['content']['application/json'];
/** An item of the list of a path. */
export type ItemOf<P extends ListPath> =
  PageOf<P> extends Record<(typeof listFields)[P], (infer Item)[]> ? Item : never;

interface Page {
  next_cursor: string | null;
}

/** Yields the pages of a list. `read` gets the cursor of the next page, or undefined for the first one. */
export async function* pagesOf<P extends Page>(
  read: (cursor: string | undefined) => Promise<P>,
): AsyncGenerator<P, void> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Yields the items of a list over all pages:
 * `for await (const decision of iterate(client, '/decisions', {}))`.
 * `limit` in the query is the size of a page. Throws WaymarkError.
 */
export async function* iterate<P extends ListPath>(
  client: WaymarkClient,
  path: P,
  init: FetchOptions<paths[P]['get']>,
): AsyncGenerator<ItemOf<P>, void> {
  const { params } = init as { params?: { query?: object } };
  // The types of the client do not follow a path that is only known as one of several.
  const get = client.GET as unknown as (path: P, init: object) => Parameters<typeof unwrap<Page>>[0];
  const read = (cursor: string | undefined) => {
    const query = { ...params?.query, ...(cursor && { cursor }) };
    return unwrap(get(path, { ...init, params: { ...params, query } }));
  };
  for await (const page of pagesOf(read)) {
    yield* (page as unknown as Record<string, ItemOf<P>[]>)[listFields[path]]!;
  }
}
