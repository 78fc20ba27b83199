import { describe, expect, it } from '@jest/globals';
import { type Found, isAnswer, rankDecisions, stemOf, wordsOf } from './rank-decisions.ts';

const TOTAL = 100;

interface Known {
  id: string;
  title: string;
  text?: string;
  status?: string;
}

/** Returns what searches for the words of a question find, each match with all of its field as excerpt. */
function foundBy(question: string, decisions: readonly Known[]): Found[] {
  return wordsOf(question).map((word) => ({
    ...word,
    hasMore: false,
    hits: decisions.flatMap(({ id, title, text = '', status = 'accepted' }) => {
      const highlights = Object.entries({ title, rationale: text }).flatMap(([field, excerpt]) =>
        [...excerpt.toLowerCase().matchAll(new RegExp(word.stem, 'g'))].map(({ index }) => ({
          field,
          message_id: null,
          start: index,
          end: index + word.stem.length,
          excerpt,
          excerpt_start: 0,
        })),
      );
      return highlights.length > 0 ? [{ id, title, status: status as 'accepted', highlights }] : [];
    }),
  }));
}

const rank = (question: string, ...decisions: Known[]) =>
  rankDecisions(foundBy(question, decisions), TOTAL).map(({ hit }) => hit.id);

describe('the words of a question', () => {
  it.each([
    ['Which decision governs the message broker and why?', ['message', 'broker']],
    ['Why didn’t we choose one UI kit?', ['kit', 'ui']],
    ['Welche Datenbank haben wir für Sitzungen?', ['datenbank', 'sitzungen']],
    ['消息代理', ['消息', '代理']],
    ['Is it?', []],
  ])('of “%s”', (question, words) => {
    expect(wordsOf(question).map(({ word }) => word)).toEqual(words);
  });

  it('are at most six, the longest ones', () => {
    const words = wordsOf('red green blue yellow orange purple magenta cyan').map(({ word }) => word);
    expect(words).toEqual(['magenta', 'yellow', 'orange', 'purple', 'green', 'blue']);
  });

  it.each([
    ['policy', 'policies'],
    ['price', 'pricing'],
    ['drop', 'dropped'],
    ['write', 'written'],
    ['token', 'tokens'],
    ['service', 'services'],
    ['call', 'calling'],
    ['process', 'processes'],
  ])('have one stem: %s, %s', (word, inflected) => {
    expect(stemOf(inflected)).toBe(stemOf(word));
    expect(inflected.startsWith(stemOf(word))).toBe(true);
  });

  it.each([
    ['engine', 'engineer'],
    ['day', 'daily'],
    ['thing', 'the'],
  ])('do not share a stem: %s, %s', (one, other) => {
    expect(stemOf(one)).not.toBe(stemOf(other));
  });
});

describe('decisions', () => {
  it('come in the order of the rarity of the words that they contain', () => {
    const often = Array.from({ length: 9 }, (_, i) => ({ id: `often ${i}`, title: `Service ${i}` }));
    expect(rank('service broker', ...often, { id: 'rare', title: 'Broker' })[0]).toBe('rare');
  });

  it('come first with the words in the title, then if accepted', () => {
    const title = { id: 'title', title: 'A broker' };
    const text = { id: 'text', title: 'A bus', text: 'Broker, broker, broker' };
    expect(rank('broker', text, title)).toEqual(['title', 'text']);
    const proposed = { ...title, id: 'proposed', status: 'proposed' };
    const archived = { ...title, id: 'archived', status: 'archived' };
    expect(rank('broker', archived, proposed, title)).toEqual(['title', 'proposed', 'archived']);
  });

  it('do not match by letters inside a word', () => {
    expect(rank('call', { id: 'scale', title: 'Scale recall' })).toEqual([]);
  });

  it('count less for a word with more hits than a search returns', () => {
    const [broker, bus] = foundBy('broker bus', [
      { id: 'broker', title: 'Broker' },
      { id: 'bus', title: 'Bus' },
    ]);
    const ranked = rankDecisions([{ ...broker!, hasMore: true }, bus!], TOTAL);
    expect(ranked.map(({ hit }) => hit.id)).toEqual(['bus', 'broker']);
  });

  it('are answers if they contain enough of the question', () => {
    const isAnswered = (question: string, decision: Known) =>
      rankDecisions(foundBy(question, [decision]), TOTAL).some(isAnswer);
    const decision = { id: 'a', title: 'Hire a support engineer in Lisbon', text: 'Mornings are slow' };
    expect(isAnswered('Who is the support engineer in Lisbon?', decision)).toBe(true);
    expect(isAnswered('Lisbon', decision)).toBe(true);
    expect(isAnswered('Which browsers does support test in mornings?', decision)).toBe(false);
    expect(isAnswered('vacation of engineers in summer', decision)).toBe(false);
    expect(rankDecisions(foundBy('vacation', [decision]), TOTAL)).toEqual([]);
  });
});
