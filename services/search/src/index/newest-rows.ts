import { type Kind, kinds } from '../projection/item.ts';
import { type FindRequest, findHits, type TextRow, type TextSource } from '../query/find-hits.ts';
import { type FoundText, foundText } from '../query/hits-json.ts';
import type { IndexedChange, IndexedRow } from '../store/items.ts';

/**
 * The newest rows of a workspace's index, kept where requests are served: what they tell takes no thread to be woken, and of a
 * common text they fill the page.
 */
export interface NewestRows {
  /** Takes in what the index does, in the same order. */
  take(changes: readonly IndexedChange[]): void;
  /** What the whole index would find; null where these rows do not tell, or only with more work than a request may hold up. */
  find(request: FindRequest): Promise<FoundText | null>;
  bytes(): number;
}

/** Of a kind, together with the next one. To look through as many takes a tenth of a millisecond, a few at worst. */
const ROWS_MAX = 1_000;
const CHARACTERS_MAX = 640 * 1024;
const BYTES_PER_CHARACTER_MAX = 2;
/** What is found is parsed, folded and marked: about a millisecond for as many. */
const FOUND_CHARACTERS_MAX = 64 * 1024;
/** By all the looks of one search together. */
const LOOKED_ROWS_MAX = 20_000;
/** After so many rows a page that fills at less than half the pace is given up. */
const PROBED_ROWS = 128;

const NOT_TOLD = new Error('the newest rows do not tell');

const charactersOf = ({ folded, payload }: IndexedRow) => folded.length + payload.length;

/** The newest rows of a kind: all that there are at or above a position, which rises when it would become too many. */
function newestOfKind(rowsMax: number) {
  const byId = new Map<string, IndexedRow>();
  /** By position, which no two share. */
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
    isWhole: () => since === Number.NEGATIVE_INFINITY,
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

export function newestRows(rowsMax = ROWS_MAX): NewestRows {
  const of = Object.fromEntries(kinds.map((kind) => [kind, newestOfKind(rowsMax)])) as Record<
    Kind,
    ReturnType<typeof newestOfKind>
  >;

  /** For one search. Throws NOT_TOLD. */
  function source(): TextSource {
    let room = FOUND_CHARACTERS_MAX;
    let looksLeft = LOOKED_ROWS_MAX;

    function take(row: TextRow): TextRow {
      room -= row.payload.length;
      if (room < 0) throw NOT_TOLD;
      return row;
    }
    function look(row: IndexedRow): IndexedRow {
      looksLeft -= 1;
      if (looksLeft < 0) throw NOT_TOLD;
      return row;
    }

    return {
      newest(kind, q, before, count) {
        const { rows, isWhole } = of[kind];
        const found: TextRow[] = [];
        let looked = 0;
        for (let at = rows.length - 1; at >= 0 && found.length < count; at -= 1) {
          const row = look(rows[at]!);
          if (row.position >= before) continue;
          if (row.folded.includes(q)) found.push(take(row));
          looked += 1;
          const isSlow = looked >= PROBED_ROWS && 2 * found.length * rows.length < count * looked;
          if (isSlow && !isWhole()) throw NOT_TOLD;
        }
        if (found.length < count && !isWhole()) throw NOT_TOLD;
        return found;
      },

      /** Of all messages: `find` sees to it that they are here. */
      messagesOf(nodeId, q, from, count) {
        const found: TextRow[] = [];
        const { rows } = of.message;
        for (let at = rows.length - 1; at >= 0 && found.length < count; at -= 1) {
          const row = look(rows[at]!);
          if (row.position < from) break;
          if (row.parent_id === nodeId && row.folded.includes(q)) found.push(take(row));
        }
        return found;
      },

      node(id) {
        const row = of.node.byId.get(id);
        if (row) return take(row);
        if (!of.node.isWhole()) throw NOT_TOLD;
        return null;
      },
    };
  }

  return {
    take(changes) {
      for (const { kind, id, row } of changes) of[kind].put(id, row);
    },

    async find(request) {
      const seeksNodes = request.group === null || request.group === 'nodes';
      // A node is found, and marked, for what any of its messages says.
      if (seeksNodes && !of.message.isWhole()) return null;
      try {
        // Without a pause, as nothing here has to be waited for: no change comes in between.
        return foundText(await findHits(source(), request));
      } catch (error) {
        if (error === NOT_TOLD) return null;
        throw error;
      }
    },

    bytes: () => kinds.reduce((sum, kind) => sum + of[kind].characters(), 0) * BYTES_PER_CHARACTER_MAX,
  };
}
