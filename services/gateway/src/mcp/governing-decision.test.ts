import { describe, expect, it } from '@jest/globals';
import { findGoverningDecision } from './governing-decision.ts';
import type { CallOperation } from './operation-call.ts';

interface Known {
  id: string;
  title: string;
  status?: string;
  /** The decisions that supersede it. */
  next?: string[];
}

const SHOWN = 3;

/** Answers like the operations, for a chain that may have a cycle and shows at most three later decisions. */
function workspaceOf(decisions: Known[]) {
  const calls: string[] = [];
  const named = new Map(decisions.map((one) => [one.id, { status: 'accepted', next: [], ...one }]));
  const entry = (id: string, steps: number) => ({
    decision_id: id,
    title: named.get(id)!.title,
    status: named.get(id)!.status,
    steps,
  });
  const answers: Record<string, (given: Record<string, unknown>) => unknown> = {
    search: ({ q }) => ({
      decisions: [...named.values()]
        .map((one) => ({ ...one, start: one.title.toLowerCase().indexOf(String(q)) }))
        .filter(({ start }) => start !== -1)
        .map(({ start, ...one }) => ({
          ...one,
          highlights: [{ field: 'title', start, excerpt: one.title, excerpt_start: 0 }],
        })),
      next_cursors: { decisions: null },
    }),
    getDecisionFacets: () => ({ total: 100 }),
    getDecision: ({ id }) => named.get(String(id)),
    listDecisionLinks({ id }) {
      const seen = [String(id)];
      const chain = [entry(String(id), 0)];
      let last = [String(id)];
      for (let steps = 1; steps <= SHOWN && last.length > 0; steps += 1) {
        last = last.flatMap((one) => named.get(one)!.next).filter((one) => !seen.includes(one));
        seen.push(...last);
        chain.unshift(...last.map((one) => entry(one, steps)));
      }
      return { chain, chain_complete: !last.some((one) => named.get(one)!.next.length > 0) };
    },
  };
  const call = (async (id: string, given: Record<string, unknown>) => {
    calls.push(id);
    return answers[id]!(given);
  }) as unknown as CallOperation;
  return { calls, find: (question: string) => findGoverningDecision(call, question, {}) };
}

/** Decisions 0 to `last`, each of which supersedes the one before. */
const line = (last: number): Known[] =>
  Array.from({ length: last + 1 }, (_, i) => ({
    id: String(i),
    title: i === 0 ? 'Which database?' : `Step ${i}`,
    next: i === last ? [] : [String(i + 1)],
  }));

describe('the decision that governs a question', () => {
  it('is the newest of the chain, with four operations', async () => {
    const { find, calls } = workspaceOf(line(2));
    const found = await find('which database?');
    expect(found).toMatchObject({ decision: { id: '2' }, found: { id: '0', contains: ['database'] } });
    expect(found['chain']).toHaveLength(3);
    expect(found).not.toHaveProperty('last_accepted');
    expect(calls).toEqual(['search', 'getDecisionFacets', 'listDecisionLinks', 'getDecision']);
  });

  it('is not one that was rejected or archived; a proposed one shows what is in force', async () => {
    const [first, second, third] = line(2) as [Known, Known, Known];
    const rejected = workspaceOf([first, second, { ...third, status: 'rejected' }]);
    expect(await rejected.find('database')).toMatchObject({ decision: { id: '1' } });
    const proposed = workspaceOf([first, second, { ...third, status: 'proposed' }]);
    expect(await proposed.find('database')).toMatchObject({
      decision: { id: '2' },
      last_accepted: { decision_id: '1' },
    });
  });

  it('is found in a chain that no answer shows whole, within a limit', async () => {
    const long = workspaceOf(line(10));
    expect(await long.find('database')).toMatchObject({ decision: { id: '10' } });
    const endless = workspaceOf(line(100));
    expect(await endless.find('database')).toMatchObject({ decision: { id: String(5 * SHOWN) } });
    expect(endless.calls.filter((id) => id === 'listDecisionLinks')).toHaveLength(5);
  });

  it('is found in a cycle', async () => {
    const decisions = line(7);
    decisions[7]!.next = ['0'];
    const { find, calls } = workspaceOf(decisions);
    expect(await find('database')).toMatchObject({ decision: { id: '7' } });
    expect(calls.length).toBeLessThan(9);
  });

  it('is the best match of all words; the others follow', async () => {
    const { find, calls } = workspaceOf([
      { id: 'a', title: 'Retention of log files' },
      { id: 'b', title: 'Where do sessions and tokens live' },
      { id: 'c', title: 'Tokens' },
    ]);
    const found = await find('Where should tokens of our sessions live?');
    expect(found).toMatchObject({
      decision: { id: 'b' },
      found: {
        id: 'b',
        contains: ['session', 'tokens', 'live'].map((word) => expect.stringContaining(word)),
      },
      other_matches: [{ id: 'c', contains: ['tokens'] }],
    });
    expect(calls.filter((id) => id === 'search')).toHaveLength(3);
  });

  it('is null if there is none, or only a weak match', async () => {
    const { find, calls } = workspaceOf(line(1));
    expect(await find('Which colour?')).toMatchObject({
      decision: null,
      near_misses: [],
      searched: ['colour'],
    });
    expect(calls).toEqual(['search', 'getDecisionFacets']);
    const weak = await find('Which colour do buttons of the database console have?');
    expect(weak).toMatchObject({ decision: null, near_misses: [{ id: '0', contains: ['database'] }] });
  });
});
