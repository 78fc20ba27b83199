import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TextRow } from '../query/find-hits.ts';
import type { IndexedRow } from '../store/items.ts';
import { FIELD_SEPARATOR } from '../text/fold.ts';
import { rarestTrigrams } from './rarest-trigrams.ts';

/** The current state of a record in the index. */
export type KnownRow = Pick<IndexedRow, 'position' | 'folded'>;

const TRIGRAM = 3;
/** A common text of one or two characters is searched in this many of the newest rows first. */
const RECENT_ROWS = 1_000;
/** A short text that begins more trigrams than this is frequent: reading the rows is faster. */
const EXPANSIONS_MAX = 500;
/** Ends each indexed text, so that each character of it begins a trigram. No folded text contains it. */
const END_OF_TEXT = FIELD_SEPARATOR.repeat(TRIGRAM - 1);
const HIGHEST_CHARACTER = '\u{10ffff}';

const isShort = (q: string) => q.length < 2 * TRIGRAM && [...q].length < TRIGRAM;
/** Replaces the two noncharacters that FTS5 reads as U+FFFD. */
const asIndexed = (q: string) => q.replace(/[\ufffe\uffff]/g, '\ufffd');
const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;

function createTables(db: DatabaseSync, kind: string): void {
  db.exec(`
    CREATE TABLE ${kind}_texts (
      position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent_id TEXT, folded TEXT NOT NULL, payload TEXT NOT NULL
    );
    CREATE INDEX ${kind}_parents ON ${kind}_texts (parent_id, position) WHERE parent_id IS NOT NULL;
    CREATE VIRTUAL TABLE ${kind}_trigrams USING fts5(
      folded, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1'
    );
    CREATE VIRTUAL TABLE ${kind}_vocabulary USING fts5vocab(${kind}_trigrams, row);
  `);
}

/** Finds rows, newest first; q is folded. Trigrams select rows to read, and instr looks for q in them. */
function kindQueries(db: DatabaseSync, kind: string, rarest: (q: string) => string[]) {
  const columns = 'id, parent_id, position, payload';
  const byId = db.prepare(`SELECT ${columns} FROM ${kind}_texts WHERE id = ?`);
  const selected = db.prepare(
    `SELECT t.id, t.parent_id, t.position, t.payload FROM ${kind}_trigrams
     JOIN ${kind}_texts t ON t.position = ${kind}_trigrams.rowid
     WHERE ${kind}_trigrams MATCH ?1 AND ${kind}_trigrams.rowid < ?2 AND instr(t.folded, ?3) > 0
     ORDER BY ${kind}_trigrams.rowid DESC LIMIT ?4`,
  );
  const unselected = db.prepare(
    `SELECT ${columns} FROM (SELECT * FROM ${kind}_texts WHERE position < ?1 ORDER BY position DESC LIMIT ?4)
     WHERE instr(folded, ?2) > 0 LIMIT ?3`,
  );
  const ofParent = db.prepare(
    `SELECT ${columns} FROM ${kind}_texts
     WHERE parent_id = ?1 AND position >= ?2 AND instr(folded, ?3) > 0 ORDER BY position DESC LIMIT ?4`,
  );
  const expansions = db.prepare(
    `SELECT term FROM ${kind}_vocabulary WHERE term >= ?1 AND term <= ?2 LIMIT ${EXPANSIONS_MAX + 1}`,
  );

  const read = (statement: StatementSync, ...values: (string | number)[]) =>
    statement.all(...values) as unknown as TextRow[];

  /** Finds a text of one or two characters by the trigrams that begin with it. */
  function newestOfShort(q: string, before: number, count: number): TextRow[] {
    const recent = read(unselected, before, q, count, RECENT_ROWS);
    if (recent.length === count) return recent;
    const first = asIndexed(q);
    const trigrams = expansions.all(first, first + HIGHEST_CHARACTER.repeat(TRIGRAM - 1));
    if (trigrams.length === 0) return [];
    if (trigrams.length > EXPANSIONS_MAX) return read(unselected, before, q, count, -1);
    const match = trigrams.map(({ term }) => quoted(term as string)).join(' OR ');
    return read(selected, match, before, q, count);
  }

  return {
    get: (id: string) => (byId.get(id) ?? null) as TextRow | null,

    newest(q: string, before: number, count: number): TextRow[] {
      if (isShort(q)) return newestOfShort(q, before, count);
      const trigrams = rarest(q).map(quoted);
      return trigrams.length === 0 ? [] : read(selected, trigrams.join(' AND '), before, q, count);
    },

    ofParent: (parentId: string, q: string, from: number, count: number) =>
      read(ofParent, parentId, from, q, count),
  };
}

/** The records of one kind in a workspace's index. */
export function kindIndex(db: DatabaseSync, kind: string) {
  createTables(db, kind);
  const rarest = rarestTrigrams();
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

  function remove({ position, folded }: KnownRow): void {
    deleteTrigrams.run(position, folded + END_OF_TEXT);
    rarest.remove(folded);
    deleteText.run(position);
  }

  return {
    ...kindQueries(db, kind, rarest.of),

    known: (id: string) => (knownById.get(id) ?? null) as KnownRow | null,

    /** Pass rows in the order of their positions: FTS5 writes a segment whenever a position steps back. */
    put({ id, parent_id, position, folded, payload }: IndexedRow, known: KnownRow | null): void {
      if (known?.position === position && known.folded === folded) {
        updateText.run(parent_id, folded, payload, position);
        return;
      }
      if (known) remove(known);
      insertText.run(position, id, parent_id, folded, payload);
      insertTrigrams.run(position, folded + END_OF_TEXT);
      rarest.add(folded);
    },

    remove,
  };
}

export type KindIndex = ReturnType<typeof kindIndex>;
