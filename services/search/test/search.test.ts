import { describe, expect, it } from '@jest/globals';
import { limits, newId, type SearchHits } from '@waymark/contracts';
import { aDecision, aMessage, aNode, anEvent, aWorkflow } from './records.ts';
import { searchServer } from './search-server.ts';

const stand = await searchServer();

const titles = (hits: { title: string }[]) => hits.map(({ title }) => title);
const marksOf = (result: SearchHits) =>
  [...result.nodes, ...result.decisions, ...result.workflows].flatMap(({ highlights }) =>
    highlights.map(({ field, start, end }) => [field, start, end]),
  );

/** A workspace with one decision for each text. */
async function decisionsTitled(...texts: string[]): Promise<string> {
  const workspaceId = newId();
  const startMs = Date.now();
  const created = texts.map((title, i) =>
    aDecision(workspaceId, { title, created_at: new Date(startMs + i).toISOString() }),
  );
  await stand.publish(created.map((decision) => anEvent('decision.created', workspaceId, decision)));
  await stand.projected();
  return workspaceId;
}

describe('GET /search', () => {
  it('finds every text, groups the hits and returns the offsets of the matches', async () => {
    const workspaceId = newId();
    const decision = aDecision(workspaceId, {
      title: 'Needle title',
      question: 'Which NEEDLE?',
      description: 'a needle',
      resolution: 'the needle',
      rationale: 'because needle',
      options_considered: ['needle', { title: 'a needle', pros: ['x', 'needle'], cons: ['needle'] }],
      tags: ['hay', 'needle'],
      status: 'accepted',
    });
    const workflow = aWorkflow(workspaceId, { title: 'Needles', description: 'Find needles' });
    const node = aNode(workspaceId, {
      title: 'Thread a needle',
      workflow_id: workflow.id,
      status: 'in_review',
    });
    const other = aNode(workspaceId, { title: 'Quiet', type: 'doc' });
    const later = new Date(Date.now() + 10).toISOString();
    const message = aMessage(other.id, 'Where is the needle?', { created_at: later });
    await stand.publish([
      anEvent('thread.message_created', workspaceId, message),
      anEvent('node.created', workspaceId, node),
      anEvent('node.created', workspaceId, other),
      anEvent('workflow.created', workspaceId, workflow),
      anEvent('decision.created', workspaceId, decision),
    ]);
    await stand.projected();
    const result = await stand.search(workspaceId, 'needle');
    expect(result.decisions).toEqual([
      { id: decision.id, title: 'Needle title', status: 'accepted', highlights: expect.any(Array) },
    ]);
    expect(result.decisions[0]!.highlights.map(({ field }) => field)).toEqual([
      'title',
      'question',
      'description',
      'resolution',
      'rationale',
      'options_considered.0',
      'options_considered.1.title',
      'options_considered.1.pros.1',
      'options_considered.1.cons.0',
      'tags.1',
    ]);
    expect(result.workflows).toEqual([{ id: workflow.id, title: 'Needles', highlights: expect.any(Array) }]);
    expect(result.nodes).toEqual([
      {
        id: other.id,
        title: 'Quiet',
        type: 'doc',
        status: 'backlog',
        workflow_id: other.workflow_id,
        highlights: [
          {
            field: 'message',
            message_id: message.id,
            start: 13,
            end: 19,
            excerpt: 'Where is the needle?',
            excerpt_start: 0,
          },
        ],
      },
      {
        id: node.id,
        title: 'Thread a needle',
        type: 'task',
        status: 'in_review',
        workflow_id: workflow.id,
        highlights: [
          {
            field: 'title',
            message_id: null,
            start: 9,
            end: 15,
            excerpt: 'Thread a needle',
            excerpt_start: 0,
          },
        ],
      },
    ]);
    expect(result.next_cursors).toEqual({ nodes: null, decisions: null, workflows: null });
  });

  it('takes every character literally', async () => {
    const workspaceId = await decisionsTitled(
      '100% of a*b',
      '100 of ab',
      'say "a.b" (c) [d] \\e_f',
      'sayXaYbX',
    );
    const special = 'say "a.b" (c) [d] \\e_f';
    for (const [q, found] of [
      ['%', ['100% of a*b']],
      ['a*b', ['100% of a*b']],
      ...['a.b', '"a.b"', '\\', '_'].map((q) => [q, [special]] as const),
      ...['%_*.', '(a+)+$', 'a" OR "b'].map((q) => [q, []] as const),
      ['100', ['100 of ab', '100% of a*b']],
    ] as const)
      expect([q, await stand.titles(workspaceId, q)]).toEqual([q, found]);
  });

  it.each([
    ['Die Straße ist lang', 'STRASSE', [['title', 4, 10]]],
    [
      'Größe 😀😀',
      '😀',
      [
        ['title', 6, 8],
        ['title', 8, 10],
      ],
    ],
    ['漢字かな', '字か', [['title', 1, 3]]],
  ])('finds in %s the text %s at the original offsets', async (title, q, marks) => {
    const workspaceId = await decisionsTitled(title, 'nothing here');
    const scanned = await stand.search(workspaceId, q);
    expect(marksOf(scanned)).toEqual(marks);
    expect(await stand.search(workspaceId, q)).toEqual(scanned);
  });

  it('pages through each group by itself, newest first', async () => {
    const workspaceId = newId();
    const startMs = Date.now();
    const when = (i: number) => ({ title: `item ${i}`, created_at: new Date(startMs + i).toISOString() });
    const numbers = Array.from({ length: 25 }, (_, i) => i);
    await stand.publish([
      ...numbers.map((i) => anEvent('decision.created', workspaceId, aDecision(workspaceId, when(i)))),
      ...numbers.map((i) => anEvent('workflow.created', workspaceId, aWorkflow(workspaceId, when(i)))),
      ...numbers.map((i) => anEvent('node.created', workspaceId, aNode(workspaceId, when(i)))),
    ]);
    await stand.projected();
    const expected = numbers.map((i) => `item ${i}`).reverse();
    const first = await stand.search(workspaceId, 'ITEM');
    for (const group of ['nodes', 'decisions', 'workflows'] as const) {
      expect(titles(first[group])).toEqual(expected.slice(0, limits.searchPageSize));
      const second = await stand.search(workspaceId, 'ITEM', { cursor: first.next_cursors[group]! });
      expect(titles(second[group])).toEqual(expected.slice(limits.searchPageSize));
      expect(second.next_cursors).toEqual({ nodes: null, decisions: null, workflows: null });
      expect(second.nodes.length + second.decisions.length + second.workflows.length).toBe(5);
    }
    const small = await stand.search(workspaceId, 'item', { limit: 2 });
    expect(titles(small.nodes)).toEqual(['item 24', 'item 23']);
    expect(small.next_cursors.nodes).not.toBeNull();
  });

  it('returns a node once, at the position of its newest match, on any page', async () => {
    const workspaceId = newId();
    const startMs = Date.now() - 10_000;
    const at = (i: number) => ({ created_at: new Date(startMs + i).toISOString() });
    const nodes = Array.from({ length: 4 }, (_, i) => aNode(workspaceId, { title: `topic ${i}`, ...at(i) }));
    const messages = Array.from({ length: 40 }, (_, i) =>
      aMessage(nodes[i % 2]!.id, `topic of message ${i}`, at(100 + i)),
    );
    await stand.publish([
      ...nodes.map((node) => anEvent('node.created', workspaceId, node)),
      ...messages.map((message) => anEvent('thread.message_created', workspaceId, message)),
    ]);
    await stand.projected();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: SearchHits = await stand.search(workspaceId, 'topic', {
        limit: 1,
        ...(cursor && { cursor }),
      });
      seen.push(...titles(page.nodes));
      cursor = page.next_cursors.nodes;
    } while (cursor);
    expect(seen).toEqual(['topic 1', 'topic 0', 'topic 3', 'topic 2']);
    const [node] = (await stand.search(workspaceId, 'topic', { limit: 1 })).nodes;
    expect(node!.highlights).toHaveLength(limits.searchHighlightsPerHit);
    expect(node!.highlights.slice(0, 2).map(({ message_id }) => message_id)).toEqual([
      null,
      messages[39]!.id,
    ]);
  });

  it.each([
    ['no q', {}],
    ['an empty q', { q: '' }],
    ['a q of 201 characters', { q: 'x'.repeat(201) }],
    ['a NUL in q', { q: 'a\0b' }],
    ['a limit of 0', { q: 'x', limit: 0 }],
    ['a limit of 501', { q: 'x', limit: 501 }],
    ['an unknown parameter', { q: 'x', group: 'nodes' }],
    ['a cursor that is none', { q: 'x', cursor: 'AAAA' }],
  ])('refuses %s', async (_, query) => {
    const { status, body } = await stand.ask(newId(), query);
    expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('accepts a q of 200 characters', async () => {
    const long = 'ab'.repeat(100);
    const workspaceId = await decisionsTitled(`x${long}y`, 'ab'.repeat(99));
    for (let i = 0; i < 2; i += 1) {
      expect((await stand.search(workspaceId, long)).decisions).toHaveLength(1);
    }
  });

  it('refuses a cursor of another text, workspace or list, and an altered cursor', async () => {
    const workspaceId = await decisionsTitled('same a', 'same b');
    const { next_cursors } = await stand.search(workspaceId, 'same', { limit: 1 });
    const cursor = next_cursors.decisions!;
    expect((await stand.ask(workspaceId, { q: 'SAME', cursor })).status).toBe(200);
    expect((await stand.ask(workspaceId, { q: 'sam', cursor })).status).toBe(400);
    expect((await stand.ask(newId(), { q: 'same', cursor })).status).toBe(400);
    expect((await stand.ask(workspaceId, { q: 'same', cursor: cursor.replace(/.$/, '_') })).status).toBe(400);
  });

  it('finds nothing of another workspace', async () => {
    await decisionsTitled('secret plan');
    const own = await stand.search(newId(), 'secret');
    expect(own).toMatchObject({ nodes: [], decisions: [], workflows: [] });
  });
});
