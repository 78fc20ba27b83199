import type { DatabaseSync } from 'node:sqlite';
import type { TextRow } from '../query/find-hits.ts';
import type { IndexedRow } from '../store/items.ts';
import { shortGrams } from './short-grams.ts';
import { spread } from './spread.ts';
import { trigramCounts } from './trigram-counts.ts';

/** What the index has of a record now. */
export type KnownRow = Pick<IndexedRow, 'position' | 'folded'>;

const TRIGRAM = 3;
const isShort = (q: string) => q.length < 2 * TRIGRAM && [...q].length < TRIGRAM;

/** The records of one kind in a workspace's index; q is folded, and every character of it literal. */
export function kindIndex(db: DatabaseSync, kind: string) {
  db.exec(`
    CREATE TABLE ${kind}_texts (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent_id TEXT, folded TEXT NOT NULL, payload TEXT NOT NULL
    );
    CREATE INDEX ${kind}_parents ON ${kind}_texts (parent_id, position) WHERE parent_id IS NOT NULL;
    CREATE VIRTUAL TABLE ${kind}_trigrams USING fts5(
      folded, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1'
    );
  `);
  const short = shortGrams(db, kind);
  const counts = trigramCounts();
  const columns = 'id, parent_id, position, payload';
  const byId = db.prepare(`SELECT ${columns} FROM ${kind}_texts WHERE id = ?`);
  const knownById = db.prepare(`SELECT position, folded FROM ${kind}_texts WHERE id = ?`);
  const insertText = db.prepare(
    `INSERT INTO ${kind}_texts (position, id, parent_id, folded, payload) VALUES (?, ?, ?, ?, ?)`,
  );
  const updateText = db.prepare(
    `UPDATE ${kind}_texts SET parent_id = ?, folded = ?, payload = ? WHERE position = ?`,
  );
  const deleteText = db.prepare(`DELETE FROM ${kind}_texts WHERE position = ?`);
  const insertTrigrams = db.prepare(`INSERT INTO ${kind}_trigrams (rowid, folded) VALUES (?, ?)`);
  const deleteTrigrams = db.prepare(
    `INSERT INTO ${kind}_trigrams (${kind}_trigrams, rowid, folded) VALUES ('delete', ?, ?)`,
  );
  // The trigrams only narrow down; instr decides, byte for byte.
  const newest = db.prepare(
    `SELECT t.id, t.parent_id, t.position, t.payload FROM ${kind}_trigrams
     JOIN ${kind}_texts t ON t.position = ${kind}_trigrams.rowid
     WHERE ${kind}_trigrams MATCH ?1 AND ${kind}_trigrams.rowid < ?2 AND instr(t.folded, ?3) > 0
     ORDER BY ${kind}_trigrams.rowid DESC LIMIT ?4`,
  );
  const newestInRange = db.prepare(
    `SELECT ${columns} FROM ${kind}_texts
     WHERE position >= ?1 AND position < ?2 AND instr(folded, ?3) > 0 ORDER BY position DESC LIMIT ?4`,
  );
  const newestOfParent = db.prepare(
    `SELECT ${columns} FROM ${kind}_texts
     WHERE parent_id = ?1 AND position >= ?2 AND instr(folded, ?3) > 0 ORDER BY position DESC LIMIT ?4`,
  );
  function addTrigrams(position: number, folded: string): void {
    insertTrigrams.run(position, spread(folded));
    counts.add(folded);
  }

  function removeTrigrams(position: number, folded: string): void {
    deleteTrigrams.run(position, spread(folded));
    counts.remove(folded);
  }

  function remove({ position, folded }: KnownRow): void {
    removeTrigrams(position, folded);
    deleteText.run(position);
  }

  return {
    get: (id: string) => (byId.get(id) ?? null) as TextRow | null,

    known: (id: string) => (knownById.get(id) ?? null) as KnownRow | null,

    /** Rows are best given in the order of their positions: FTS5 writes a segment whenever they step back. */
    put(row: IndexedRow, known: KnownRow | null): void {
      const { id, parent_id, position, folded, payload } = row;
      if (known?.position === position) {
        if (known.folded !== folded) {
          removeTrigrams(position, known.folded);
          addTrigrams(position, folded);
          short.put(position, folded, false);
        }
        updateText.run(parent_id, folded, payload, position);
        return;
      }
      if (known) remove(known);
      short.put(position, folded, true);
      insertText.run(position, id, parent_id, folded, payload);
      addTrigrams(position, folded);
    },

    remove,

    /** After changes, before anything is looked for. */
    flush: short.flush,

    newest(q: string, before: number, count: number): TextRow[] {
      if (!isShort(q)) {
        const trigrams = counts.telling(q).map((trigram) => `"${spread(trigram).replaceAll('"', '""')}"`);
        return newest.all(trigrams.join(' AND '), before, q, count) as unknown as TextRow[];
      }
      const found: TextRow[] = [];
      for (const { first, until } of short.blocksWith(q, before)) {
        const rows = newestInRange.all(first, until, q, count - found.length);
        found.push(...(rows as unknown as TextRow[]));
        if (found.length >= count) break;
      }
      return found;
    },

    trigrams: counts.buckets,

    ofParent: (parentId: string, q: string, from: number, count: number) =>
      newestOfParent.all(parentId, from, q, count) as unknown as TextRow[],
  };
}

export type KindIndex = ReturnType<typeof kindIndex>;
