import { describe, expect, it } from '@jest/globals';
import { contentSha256, earlierTexts, textDifference } from './approval.ts';

const text = {
  title: 'Which database keeps our decisions?',
  question: null,
  description: 'Grüße, 漢字 and 😀\n"quoted"',
  options_considered: ['PostgreSQL', { title: 'MongoDB', pros: ['Documents'], cons: [] }],
  criteria: ['Runs on one laptop'],
  resolution: 'MongoDB',
  rationale: null,
};

describe('contentSha256', () => {
  it('is that of the guide for its text, whatever the order and the other fields', () => {
    const shuffled = { status: 'accepted', ...Object.fromEntries(Object.entries(text).reverse()) };
    const sha256 = '65369b69fa506da7dc6894b8fc9ddbe899ab5c1fe06d7bcbd28d3bad76019e5d';
    expect([contentSha256(text), contentSha256(shuffled as never)]).toEqual([sha256, sha256]);
  });

  it.each(Object.keys(text))('changes with %s', (field) => {
    expect(contentSha256({ ...text, [field]: ['another'] })).not.toBe(contentSha256(text));
  });
});

it('finds earlier texts, and what is different in the present one', () => {
  const updates = [
    { changes: { title: { before: 'Second', after: text.title }, status: { before: 'a', after: 'b' } } },
    { changes: { tags: { before: [], after: ['x'] } } },
    { changes: { title: { before: 'First', after: 'Second' }, rationale: { before: 'Why', after: null } } },
  ];
  const texts = [...earlierTexts(text, updates)];
  expect(texts.map(({ title, rationale }) => [title, rationale])).toEqual([
    [text.title, null],
    ['Second', null],
    ['First', 'Why'],
  ]);
  expect(textDifference(texts[2]!, text)).toEqual({
    title: { before: 'First', after: text.title },
    rationale: { before: 'Why', after: null },
  });
});
