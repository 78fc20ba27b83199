import type { DatabaseSync } from 'node:sqlite';

const BLOCK_ROWS = 128;
const SPLIT_ROWS = 2 * BLOCK_ROWS;
/** Code points take 21 bits: a pair fits a number exactly. */
const CODE_POINT_SPAN = 2 ** 21;
const MET_SLOTS = 4_096;
/** Keeps pairs of ASCII letters apart from each other. */
const slotOf = (first: number, second: number) => (Math.imul(first, 97) + second) % MET_SLOTS;

/** The number of a code point (the second is 0: there is no NUL) or of a pair of them. */
const gramOf = (first: number, second: number) => first * CODE_POINT_SPAN + second;

/** `visit` tells whether it has met the gram: of a pair that it has, it has met the characters as well. */
function eachGram(text: string, visit: (first: number, second: number) => boolean): void {
  let before = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    if (before === 0 || !visit(before, codePoint)) visit(codePoint, 0);
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
  const putGrams = db.prepare(
    `INSERT OR IGNORE INTO ${kind}_grams SELECT value, ?2 FROM json_each(?1) WHERE true`,
  );
  const blocksWith = db.prepare(
    `SELECT first FROM ${kind}_grams WHERE gram = ? AND first < ? ORDER BY first DESC`,
  );
  const rowsIn = db.prepare(
    `SELECT position, folded FROM ${kind}_texts WHERE position >= ? AND position < ? ORDER BY position`,
  );
  /** By their first position; the first of all takes whatever is older. */
  const blocks = [{ first: 0, rows: 0 }];
  let newest = -1;
  /** The block that was written last, which mostly is the one written next: its grams, and those not stored yet. */
  let current = { first: -1, grams: new Set<number>(), waiting: [] as number[] };
  /** The grams met last in that block: far cheaper to ask than the set, which most of a text need not be looked up in. */
  const met = new Float64Array(MET_SLOTS);

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
    if (current.first !== first) {
      flush();
      current = { first, grams: new Set(), waiting: [] };
      met.fill(0);
    }
    const { grams, waiting } = current;
    eachGram(folded, (one, other) => {
      const gram = gramOf(one, other);
      const slot = slotOf(one, other);
      if (met[slot] === gram) return true;
      met[slot] = gram;
      if (grams.has(gram)) return true;
      grams.add(gram);
      waiting.push(gram);
      return false;
    });
  }

  function flush(): void {
    if (current.waiting.length === 0) return;
    current.waiting.sort((a, b) => a - b);
    putGrams.run(JSON.stringify(current.waiting), current.first);
    current.waiting = [];
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

    flush,

    /** The blocks that may have a text of one or two code points, newest first. */
    *blocksWith(text: string, before: number): Generator<Block> {
      const [first = 0, second = 0] = Array.from(text, (character) => character.codePointAt(0)!);
      for (const row of blocksWith.iterate(gramOf(first, second), before)) {
        const start = row['first'] as number;
        yield { first: start, until: Math.min(untilOf(blockAt(start)), before) };
      }
    },
  };
}
