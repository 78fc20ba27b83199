import { type Kind, kinds, messagesOn } from '../projection/item.ts';
import { type FindRequest, findHits, type TextSource } from '../query/find-hits.ts';
import { type HitsJson, hitsJson } from '../query/hits-json.ts';
import type { IndexedChange, IndexedRow } from '../store/items.ts';

/** The most rows of a kind, also limited in characters. A search of them takes a tenth of a millisecond. */
const ROWS_MAX = 1_000;
const CHARACTERS_MAX = 640 * 1024;
const BYTES_PER_CHARACTER_MAX = 2;
/** The most work of a search, in matched characters: about a millisecond of parsing and highlighting. */
const WORK_MAX = 64 * 1024;
/** The work of comparing a row, which takes a third of a millisecond for each thousand rows at worst. */
const COMPARE_WORK = 3;
/** After this many rows, the thread takes over a page that fills at less than half the necessary rate. */
const PROBED_ROWS = 128;

const INSUFFICIENT = new Error('the newest rows do not suffice');

const charactersOf = ({ folded, payload }: IndexedRow) => folded.length + payload.length;

/** All rows of a kind at or above a position, which rises when they become too many. */
function newestOfKind(rowsMax: number) {
  const byId = new Map<string, IndexedRow>();
  /** By position. */
  const rows: IndexedRow[] = [];
  let since = Number.NEGATIVE_INFINITY;
  let characters = 0;

  function remove(row: IndexedRow): void {
    rows.splice(rows.indexOf(row), 1);
    byId.delete(row.id);
    characters -= charactersOf(row);
  }

  return {
    byId,
    rows,
    isComplete: () => since === Number.NEGATIVE_INFINITY,
    characters: () => characters,

    put(id: string, row: IndexedRow | null): void {
      const known = byId.get(id);
      if (known) remove(known);
      if (!row || row.position < since) return;
      byId.set(id, row);
      rows.splice(rows.findLastIndex(({ position }) => position < row.position) + 1, 0, row);
      characters += charactersOf(row);
      while (rows.length > rowsMax || characters > CHARACTERS_MAX) {
        since = rows[0]!.position + 1;
        remove(rows[0]!);
      }
    },
  };
}

type NewestByKind = Record<Kind, ReturnType<typeof newestOfKind>>;

/** A source for one search. Throws INSUFFICIENT. */
function newestSource(newest: NewestByKind): TextSource {
  let workLeft = WORK_MAX;
  function work(amount: number): void {
    workLeft -= amount;
    if (workLeft < 0) throw INSUFFICIENT;
  }

  function search(kind: Kind, before: number, count: number, isWanted: (row: IndexedRow) => boolean) {
    const { rows, isComplete } = newest[kind];
    const start = rows.findLastIndex(({ position }) => position < before);
    const found: IndexedRow[] = [];
    for (let at = start; at >= 0 && found.length < count; at -= 1) {
      work(COMPARE_WORK);
      const compared = start - at;
      const isSlow = compared >= PROBED_ROWS && 2 * found.length * rows.length < count * compared;
      if (isSlow && !isComplete()) throw INSUFFICIENT;
      if (!isWanted(rows[at]!)) continue;
      work(rows[at]!.payload.length);
      found.push(rows[at]!);
    }
    return found;
  }

  return {
    newest(kind, q, before, count) {
      const found = search(kind, before, count, (row) => row.folded.includes(q));
      if (found.length < count && !newest[kind].isComplete()) throw INSUFFICIENT;
      return found;
    },

    // `find` makes sure that all messages are here.
    messagesOf: (topic, id, q, from, count) =>
      search(messagesOn[topic], Number.POSITIVE_INFINITY, count, ({ parent_id, position, folded }) => {
        return parent_id === id && position >= from && folded.includes(q);
      }),

    topic(topic, id) {
      const row = newest[topic].byId.get(id);
      if (!row && !newest[topic].isComplete()) throw INSUFFICIENT;
      work(row?.payload.length ?? 0);
      return row ?? null;
    },
  };
}

/**
 * The newest rows of a workspace's index, kept in the thread that serves requests. They fill the first page
 * for a frequent text without waking the index thread, which takes longer than the search itself.
 */
export function newestRows(rowsMax = ROWS_MAX) {
  const newest = Object.fromEntries(kinds.map((kind) => [kind, newestOfKind(rowsMax)])) as NewestByKind;

  return {
    /** Takes in the changes that the index takes in, in the same order. */
    take(changes: readonly IndexedChange[]): void {
      for (const { kind, id, row } of changes) newest[kind].put(id, row);
    },

    /** Returns what the whole index would find; null when these rows do not suffice or it takes too long. */
    async find(request: FindRequest): Promise<HitsJson | null> {
      const { group } = request;
      // Any message may match a topic.
      if ((group === null || group === 'nodes') && !newest.message.isComplete()) return null;
      if ((group === null || group === 'decisions') && !newest.decision_message.isComplete()) return null;
      try {
        // The source never waits, so no change comes in between.
        return hitsJson(await findHits(newestSource(newest), request));
      } catch (error) {
        if (error === INSUFFICIENT) return null;
        throw error;
      }
    },

    bytes: () => kinds.reduce((sum, kind) => sum + newest[kind].characters(), 0) * BYTES_PER_CHARACTER_MAX,
  };
}
