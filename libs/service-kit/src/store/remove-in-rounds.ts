import type { Collection, Document, Filter } from 'mongodb';

const PER_ROUND = 1_000;

/**
 * Removes the documents that `filter` matches, in portions; the filter needs an index. Returns false when
 * `isOver` ended the removal early. Each call removes something, however slow the store is.
 */
export async function removeInRounds<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  for (;;) {
    const found = await collection.find(filter, { projection: { _id: 1 }, limit: PER_ROUND }).toArray();
    if (found.length === 0) return true;
    await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } } as Filter<T>);
    if (isOver()) return false;
  }
}
