import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { undisturbed } from '@waymark/testing';
import { indexThreads } from '../src/index/index-threads.ts';

const threads = indexThreads({ count: 1, onLost: () => undefined });
afterAll(() => threads.stop());

let position = 0;
const change = (text: string) => {
  position += 1;
  const payload = JSON.stringify({ fields: [['title', text]], shown: { title: text } });
  const row = { id: newId(), parent_id: null, position, payload, folded: text };
  return { kind: 'decision' as const, id: row.id, row };
};
const request = { q: 'needle', limit: 10, group: null, before: null };

describe('an index thread', () => {
  it('runs a search before the waiting changes of other indexes', async () => {
    await threads.run('apply', 'small', { changes: [change('needle')] });
    const changes = Array.from({ length: 1_000 }, (_, i) =>
      change(`a text that takes a moment, ${i}, to index`),
    );
    // If this thread stands still between the messages, the index thread applies more than one portion.
    const done = await undisturbed(
      async () => {
        const order: string[] = [];
        const building = Array.from({ length: 5 }, async (_, i) => {
          await threads.run('apply', 'large', { changes });
          order.push(`portion ${i}`);
        });
        const { decisions } = await threads.run('find', 'small', { request });
        order.push('search');
        expect(decisions.hits).toHaveLength(1);
        await Promise.all(building);
        return order;
      },
      (order) => order.indexOf('search') <= 1,
    );
    // The first portion may have begun.
    expect(done.indexOf('search')).toBeLessThanOrEqual(1);
    expect(done.filter((name) => name !== 'search')).toEqual([0, 1, 2, 3, 4].map((i) => `portion ${i}`));
  });
});
