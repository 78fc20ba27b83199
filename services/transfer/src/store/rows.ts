import type { ExportCollection } from '@waymark/contracts';
import { type Database, isDuplicate, removeInRounds } from '@waymark/service-kit/store';
import { MongoBulkWriteError } from 'mongodb';

/** A record of a file that is valid by its own schema. */
export interface ImportRow {
  _id: string;
  import_id: string;
  workspace_id: string;
  collection: ExportCollection;
  seq: number;
  id: string;
  /** Id of the record that this one belongs to: a node's workflow, an outcome's decision. */
  parent: string | null;
  supersedes: string | null;
  /** For a decision: the workspace has it in another state, so its outcomes and history are not imported. */
  is_unlike?: true;
  /** The workspace lacks the record: for a node, its workflow. Unset if ids are remapped. */
  is_new?: true;
  free_form_bytes: number;
  record: string;
  expires_at: Date;
}

export const ROWS = 'import_rows';

export const rowKey = (importId: string, collection: string, id: string) => `${importId}/${collection}/${id}`;

export function importRows(database: Database) {
  const rows = database.collection<ImportRow>(ROWS);

  /** Returns the records of `ids` that the file has in a collection, with one field of each. */
  async function fieldById<F extends 'parent' | 'supersedes' | 'is_unlike' | 'is_new'>(
    importId: string,
    collection: ExportCollection,
    ids: readonly string[],
    field: F,
  ): Promise<Map<string, ImportRow[F]>> {
    const keys = [...new Set(ids)].map((id) => rowKey(importId, collection, id));
    const projection = { id: 1, [field]: 1 };
    const found = await rows.find({ _id: { $in: keys } }, { projection }).toArray();
    return new Map(found.map((row) => [row.id, row[field]]));
  }

  return {
    /** Stores the rows that are not stored yet. Returns those whose id an earlier record of the file has. */
    async add(batch: ImportRow[]): Promise<ImportRow[]> {
      if (batch.length === 0) return [];
      try {
        await rows.insertMany(batch, { ordered: false });
        return [];
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError) || !isDuplicate(error)) throw error;
      }
      const keys = batch.map(({ _id }) => _id);
      const found = await rows.find({ _id: { $in: keys } }, { projection: { seq: 1 } }).toArray();
      const first = new Map(found.map(({ _id, seq }) => [_id, seq]));
      return batch.filter(({ _id, seq }) => first.get(_id) !== seq);
    },

    /** Returns the next rows in file order: at most `records`, and `characters` unless one row is longer. */
    async after(
      importId: string,
      collection: ExportCollection,
      after: number,
      { records, characters }: { records: number; characters: number },
    ): Promise<ImportRow[]> {
      const found: ImportRow[] = [];
      let size = 0;
      const ofCollection = { import_id: importId, collection, seq: { $gt: after } };
      const cursor = rows.find(ofCollection).sort({ seq: 1 }).limit(records).batchSize(records);
      for await (const row of cursor) {
        size += row.record.length;
        if (size > characters && found.length > 0) break;
        found.push(row);
      }
      return found;
    },

    ofParent: (importId: string, collection: ExportCollection, parent: string, limit: number) =>
      rows.find({ import_id: importId, collection, parent }).sort({ seq: 1 }).limit(limit).toArray(),

    async freeFormBytes(importId: string, workflowId: string): Promise<number> {
      const $match = { import_id: importId, collection: { $in: ['nodes', 'edges'] }, parent: workflowId };
      const sum = { $group: { _id: null, bytes: { $sum: '$free_form_bytes' } } };
      const [found] = await rows.aggregate<{ bytes: number }>([{ $match }, sum]).toArray();
      return found?.bytes ?? 0;
    },

    /** Returns the parent of each of those `ids` that the file has. */
    parents: (importId: string, collection: ExportCollection, ids: readonly string[]) =>
      fieldById(importId, collection, ids, 'parent'),

    /** Returns, for each of those decisions `ids` that the file has, the decision that it supersedes. */
    supersedes: (importId: string, ids: readonly string[]) =>
      fieldById(importId, 'decisions', ids, 'supersedes'),

    async markUnlike(keys: readonly string[]): Promise<void> {
      if (keys.length > 0) await rows.updateMany({ _id: { $in: [...keys] } }, { $set: { is_unlike: true } });
    },

    async markNew(keys: readonly string[], isNew = true): Promise<void> {
      if (keys.length === 0) return;
      const mark = { is_new: true } as const;
      await rows.updateMany({ _id: { $in: [...keys] } }, isNew ? { $set: mark } : { $unset: mark });
    },

    /** Marks the nodes of a new workflow. */
    async markNodesNew(importId: string, workflowId: string): Promise<void> {
      const nodes = { import_id: importId, collection: 'nodes', parent: workflowId } as const;
      await rows.updateMany(nodes, { $set: { is_new: true } });
    },

    /** Returns, for each of those `ids` that the file has, whether the workspace lacks it. */
    newAmong: (importId: string, collection: ExportCollection, ids: readonly string[]) =>
      fieldById(importId, collection, ids, 'is_new'),

    async unlikeAmong(importId: string, ids: readonly string[]): Promise<Set<string>> {
      const marks = await fieldById(importId, 'decisions', ids, 'is_unlike');
      return new Set(marks.keys().filter((id) => marks.get(id)));
    },

    remove: (importId: string) => removeInRounds(rows, { import_id: importId }),
  };
}
