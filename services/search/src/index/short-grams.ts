import type { DatabaseSync } from 'node:sqlite';

const BLOCK_ROWS = 128;
const SPLIT_ROWS = 2 * BLOCK_ROWS;
/** Code points take 21 bits: a pair fits a number exactly. */
const CODE_POINT_SPAN = 2 ** 21;

/** The number of a text of one or two code points; there is no NUL, so that one never equals two. */
function gramOf(text: string): number {
  const [first = '', second = ''] = text;
  return (first.codePointAt(0) ?? 0) * CODE_POINT_SPAN + (second.codePointAt(0) ?? 0);
}

function eachGram(text: string, visit: (gram: number) => void): void {
  let before = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    visit(codePoint * CODE_POINT_SPAN);
    if (before > 0) visit(before * CODE_POINT_SPAN + codePoint);
    before = codePoint;
    at += codePoint > 0xffff ? 2 : 1;
  }
}

/** A run of rows: from `first` up to, but not including, `until`. */
export interface Block {
  first: number;
  until: number;
}

/**
 * Which runs of about a hundred rows have a character or a pair of them: what is too short for trigrams is then looked
 * for in those alone, newest first. A block may name grams that its rows have lost; that costs time, never a hit.
 */
export function shortGrams(db: DatabaseSync, kind: string) {
  db.exec(
    `CREATE TABLE ${kind}_grams (gram INTEGER, first INTEGER, PRIMARY KEY (gram, first)) WITHOUT ROWID`,
  );
  const putGram = db.prepare(`INSERT OR IGNORE INTO ${kind}_grams VALUES (?, ?)`);
  const blocksWith = db.prepare(
    `SELECT first FROM ${kind}_grams WHERE gram = ? AND first < ? ORDER BY first DESC`,
  );
  const rowsIn = db.prepare(
    `SELECT position, folded FROM ${kind}_texts WHERE position >= ? AND position < ? ORDER BY position`,
  );
  /** By their first position; the first of all takes whatever is older. */
  const blocks = [{ first: 0, rows: 0 }];
  let newest = -1;
  /** The grams of the block that was written last, which mostly is the one written next. */
  let current = { first: -1, grams: new Set<number>() };

  const untilOf = (index: number) => blocks[index + 1]?.first ?? Number.MAX_SAFE_INTEGER;

  /** The index of the block that a position belongs to. */
  function blockAt(position: number): number {
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (blocks[middle]!.first <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function addGrams(first: number, folded: string): void {
    if (current.first !== first) current = { first, grams: new Set() };
    const { grams } = current;
    eachGram(folded, (gram) => {
      if (grams.has(gram)) return;
      grams.add(gram);
      putGram.run(gram, first);
    });
  }

  /** The upper half of an overfull block becomes one of its own; the lower keeps the grams of both. */
  function split(index: number): void {
    const block = blocks[index]!;
    const rows = rowsIn.all(block.first, untilOf(index)) as { position: number; folded: string }[];
    const upper = rows.length < SPLIT_ROWS ? [] : rows.slice(rows.length / 2);
    block.rows = rows.length - upper.length;
    if (upper.length === 0) return;
    const first = upper[0]!.position;
    blocks.splice(index + 1, 0, { first, rows: upper.length });
    for (const { folded } of upper) addGrams(first, folded);
  }

  return {
    /** Takes in a row that is about to be stored, or one whose text has changed. */
    put(position: number, folded: string, isNew: boolean): void {
      if (position > newest) {
        newest = position;
        if (blocks.at(-1)!.rows >= BLOCK_ROWS) blocks.push({ first: position, rows: 0 });
      }
      if (isNew && blocks[blockAt(position)]!.rows >= SPLIT_ROWS) split(blockAt(position));
      const block = blocks[blockAt(position)]!;
      if (isNew) block.rows += 1;
      addGrams(block.first, folded);
    },

    /** The blocks that may have a text of one or two code points, newest first. */
    *blocksWith(text: string, before: number): Generator<Block> {
      for (const row of blocksWith.iterate(gramOf(text), before)) {
        const first = row['first'] as number;
        yield { first, until: Math.min(untilOf(blockAt(first)), before) };
      }
    },
  };
}
