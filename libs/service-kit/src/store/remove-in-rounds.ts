import type { Collection, Document, Filter } from 'mongodb';

const PER_ROUND = 1_000;

/** Removes what `filter` matches, in portions, at least one. Returns false when `isOver` ended it early. */
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
