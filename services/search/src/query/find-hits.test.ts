import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { findHits, type TextRow, type TextSource } from './find-hits.ts';

const payload = JSON.stringify({ fields: [['title', 'node']], shown: { title: 'node' } });
const rows: TextRow[] = Array.from({ length: 600 }, (_, i) => ({
  id: String(i),
  parent_id: null,
  position: 600 - i,
  payload,
}));

describe('findHits', () => {
  it('makes few reads of the source at once, however large the page', async () => {
    let atOnce = 0;
    let most = 0;
    const source: TextSource = {
      newest: (kind, _q, before, count) =>
        kind === 'node' ? rows.filter(({ position }) => position < before).slice(0, count) : [],
      topic: (_, id) => rows[Number(id)]!,
      async messagesOf() {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        return [];
      },
    };
    const limit = limits.pageSizeMax;
    const found = await findHits(source, { q: 'node', limit, group: null, before: null });
    expect(found.nodes.hits.map(({ id }) => id)).toEqual(rows.slice(0, limit).map(({ id }) => id));
    expect(most).toBeLessThanOrEqual(16);
  });

  it('does not read a node again that it has found', async () => {
    const asked: string[] = [];
    const source: TextSource = {
      newest(kind, _q, before) {
        if (kind === 'node') return rows.slice(0, 10);
        const messages = rows.slice(20, 22).map((row) => ({ ...row, id: `m${row.id}`, parent_id: row.id }));
        return kind === 'message' ? messages.filter(({ position }) => position < before) : [];
      },
      topic(_, id) {
        asked.push(id);
        return rows[Number(id)]!;
      },
      messagesOf: () => [],
    };
    const { nodes } = await findHits(source, { q: 'node', limit: 20, group: 'nodes', before: null });
    expect(nodes.hits).toHaveLength(12);
    expect(asked).toEqual(['20', '21']);
  });

  it('reads no further than the page needs', async () => {
    const reads: [string, number][] = [];
    const source: TextSource = {
      newest(kind, _q, before, count) {
        reads.push([kind, count]);
        return kind === 'node' ? rows.filter(({ position }) => position < before).slice(0, count) : [];
      },
      topic: (_, id) => rows[Number(id)]!,
      messagesOf: () => [],
    };
    const { nodes } = await findHits(source, { q: 'node', limit: 20, group: 'nodes', before: null });
    expect(nodes.hits).toHaveLength(20);
    expect(reads).toEqual([
      ['node', 21],
      ['message', 21],
    ]);
  });
});
