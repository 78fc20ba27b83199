import { DatabaseSync } from 'node:sqlite';
import { type Kind, messagesOn } from '../projection/item.ts';
import type { TextSource } from '../query/find-hits.ts';
import type { IndexedChange } from '../store/items.ts';
import { type KindIndex, kindIndex } from './kind-index.ts';

const CACHE_KIBIBYTES = 8 * 1024;
/** The memory for postings that wait for a segment: large segments are faster to write and to read. */
const PENDING_BYTES = 16 * 1024 * 1024;

/**
 * The substring index of a workspace in a private temporary database, which the system removes with the
 * process. It can be built anew at any time, so nothing in it is journaled or synced.
 */
export function workspaceIndex() {
  const db = new DatabaseSync('');
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  // This transaction never ends, because FTS5 would write a segment at each commit.
  db.exec('BEGIN');
  const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size');
  const indexes = new Map<Kind, KindIndex>();

  function indexOf(kind: Kind): KindIndex {
    const known = indexes.get(kind);
    if (known) return known;
    const made = kindIndex(db, kind);
    db.exec(`INSERT INTO ${kind}_trigrams (${kind}_trigrams, rank) VALUES ('hashsize', ${PENDING_BYTES})`);
    indexes.set(kind, made);
    return made;
  }

  const source: TextSource = {
    newest: (kind, q, before, count) => indexes.get(kind)?.newest(q, before, count) ?? [],
    messagesOf: (topic, id, q, from, count) =>
      indexes.get(messagesOn[topic])?.ofParent(id, q, from, count) ?? [],
    topic: (topic, id) => indexes.get(topic)?.get(id) ?? null,
  };

  return {
    source,

    apply(changes: readonly IndexedChange[]): void {
      // A record that changed while changes were read occurs twice; its later change is the current one.
      const latest = new Map(changes.map((change) => [`${change.kind}/${change.id}`, change]));
      const ordered = [...latest.values()].map(({ kind, id, row }) => {
        const known = indexes.get(kind)?.known(id) ?? null;
        return { kind, row, known, position: known?.position ?? row?.position ?? 0 };
      });
      ordered.sort((a, b) => a.position - b.position);
      for (const { kind, row, known } of ordered) {
        if (row) indexOf(kind).put(row, known);
        else if (known) indexOf(kind).remove(known);
      }
    },

    bytes: () => size.get()!['bytes'] as number,

    close: () => db.close(),
  };
}

export type WorkspaceIndex = ReturnType<typeof workspaceIndex>;
