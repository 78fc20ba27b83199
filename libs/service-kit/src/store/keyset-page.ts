import { type CursorCodec, type CursorPosition, limits } from '@waymark/contracts';
import type { Collection, Document, Filter } from 'mongodb';
import { fromDocument, type Stored } from './database.ts';

export interface PageRequest {
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** Sort fields with 1 or -1; the last is unique within the filter (`_id`, `seq`). */
export type Sort = readonly (readonly [field: string, direction: 1 | -1])[];

export interface KeysetPage<T> {
  data: T[];
  next_cursor: string | null;
}

/** The page as a caller sees it. */
export const viewPage = <T, V>({ data, next_cursor }: KeysetPage<T>, view: (record: T) => V) => ({
  data: data.map(view),
  next_cursor,
});

/** The filter of a field that contains a text, in upper or lower case. */
export const containing = (text: string) => ({
  $regex: text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  $options: 'i',
});

/** Returns the filter for documents after `position` in `sort`, null first: a lexicographic comparison. */
export function after(sort: Sort, position: CursorPosition): Document {
  const alternatives: Document[] = [];
  for (const [i, [field, direction]] of sort.entries()) {
    const equal = sort.slice(0, i).map(([name], j) => ({ [name]: { $eq: position[j] } }));
    const value = position[i] ?? null;
    if (value === null) {
      // Null sorts first: nothing is before it, everything else is after it.
      if (direction === -1) continue;
      alternatives.push({ $and: [...equal, { [field]: { $ne: null } }] });
    } else if (direction === 1 || field === '_id') {
      // An id is never null; without the null case, the index alone answers.
      alternatives.push({ $and: [...equal, { [field]: { [direction === 1 ? '$gt' : '$lt']: value } }] });
    } else {
      alternatives.push({ $and: [...equal, { $or: [{ [field]: { $lt: value } }, { [field]: null }] }] });
    }
  }
  return alternatives.length === 1 ? alternatives[0]! : { $or: alternatives };
}

/** Reads one page of a collection by keyset. `recordCollection` has it as `page`. */
export async function keysetPage<T extends { id: string }>(options: {
  collection: Collection<Stored<T>>;
  filter: Filter<Stored<T>>;
  sort: Sort;
  page: PageRequest;
  cursors: CursorCodec;
  /** Binds a cursor to the list, its filters and its order. */
  scope: string;
  /** Fields to leave out of the records (0) or to keep (1). The sort fields must remain. */
  projection?: Record<string, 0> | Record<string, 1>;
  /** The values of fields that documents may lack; only for whole records. */
  defaults?: Readonly<Partial<T>>;
}): Promise<KeysetPage<T>> {
  const { collection, filter, sort, page, cursors, scope, projection, defaults } = options;
  const limit = page.limit ?? limits.pageSize;
  const position = page.cursor === undefined ? null : cursors.decode(scope, page.cursor);
  const rest = (position ? { $and: [filter, after(sort, position)] } : filter) as Filter<Stored<T>>;
  const found = await collection
    .find(rest, projection && { projection })
    .sort(Object.fromEntries(sort))
    .limit(limit + 1)
    .toArray();
  const documents = found.slice(0, limit) as Stored<T>[];
  const data = documents.map((document) => fromDocument<T>(document, defaults));
  if (found.length <= limit) return { data, next_cursor: null };
  const last: Document = documents.at(-1)!;
  const next = sort.map(([field]) => last[field] ?? null);
  return { data, next_cursor: cursors.encode(scope, next) };
}
