import type { CursorPosition } from '@waymark/contracts';
import type { Document } from 'mongodb';

export interface PageRequest {
  cursor?: string | undefined;
  limit?: number | undefined;
  maxTimeMS?: number | undefined;
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
