import type { Db, Document } from 'mongodb';

/** Copies collections, and returns a function that sets them back to the copy. */
export async function backUp(database: Db, names: readonly string[]): Promise<() => Promise<void>> {
  const copies = await Promise.all(
    names.map(async (name) => [name, await database.collection(name).find().toArray()] as const),
  );
  return async () => {
    for (const [name, documents] of copies) {
      await database.collection<Document>(name).deleteMany({});
      if (documents.length > 0) await database.collection(name).insertMany(documents);
    }
  };
}
