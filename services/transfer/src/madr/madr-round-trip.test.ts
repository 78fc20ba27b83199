import { describe, expect, it } from '@jest/globals';
import { type Decision, decisionStatuses, outcomes } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import fc from 'fast-check';
import { madrOf } from './format-madr.ts';
import { type ParsedMadr, parseMadr } from './parse-madr.ts';
import { prose } from './prose.ts';

/** Words with a meaning in Markdown, in the template or in the parser. */
const WORDS = [
  'word',
  'it "is"',
  '"quoted"',
  '"',
  'because',
  'X", because Y',
  'X" because "Y"',
  '2025: raise prices',
  '3.',
  'ADR-4: x',
  '#',
  '\\#',
  'C #',
  '[x](https://x.example)',
  '決定\u2028ß',
  '`code`',
  '\\',
  '---',
  'status: accepted',
  'Chosen option: "X", because Y',
  'Outcome: success',
  'Good, because x',
];
const LINES = [
  ...WORDS,
  '# Heading',
  '## Decision Outcome',
  '### Rationale',
  '\\## escaped',
  '* item\n  * inner\n\n  below',
  '- item',
  '    indented',
  '=====',
  '```sh\n# code\n\n## Decision Outcome\n\\# escaped\n```',
  '~~~\n```\n# code\n~~~',
  '```in a line```',
];

const isClosed = (text: string) => prose(text).split('\n').length === text.split('\n').length;
const joined = (parts: string[], separators: string[], maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...separators)), { minLength: 1, maxLength })
    .map((pieces) => pieces.flat().join('').trim());
/**
 * Markdown as people write it, without open code fences and surrounding blanks, which a document cannot
 * preserve.
 */
const text = () => joined(LINES, ['\n', '\n\n', ' '], 6).filter(isClosed);
const line = () => joined(WORDS, [' '], 3).map((words) => words.replaceAll(/\s+/g, ' '));
const item = () => fc.oneof(line(), text()).filter((one) => !/^(?:`{3}|~{3})/.test(one));
const maybe = <T>(given: fc.Arbitrary<T>) => fc.option(given, { freq: 3 });
const option = () =>
  fc.oneof(
    item(),
    fc.record({
      title: item(),
      pros: fc.array(item(), { minLength: 1, maxLength: 2 }),
      cons: fc.array(item(), { maxLength: 2 }),
    }),
  );
const titleOf = (given: Decision['options_considered'][number]) =>
  (typeof given === 'string' ? given : given.title).replaceAll(/\s+/g, ' ');

const decisions = () =>
  fc.record({
    title: line(),
    question: maybe(fc.oneof(line(), text())),
    description: fc.oneof(fc.constant(''), text()),
    status: fc.constantFrom(...decisionStatuses),
    resolution: maybe(fc.oneof(line(), text())),
    rationale: maybe(text()),
    options_considered: fc.uniqueArray(option(), { maxLength: 3, selector: titleOf }),
    criteria: fc.array(item(), { maxLength: 3 }),
    decision_type: maybe(line()),
    tags: fc.uniqueArray(line(), { maxLength: 3 }),
    external_id: maybe(line()),
    expected_by: maybe(fc.constant('2026-12-31T23:59:59.999Z')),
    review_by: maybe(fc.constant('2027-12-31T23:59:59.999Z')),
    review_every_months: maybe(fc.integer({ min: 1, max: 60 })),
    decided_by: maybe(line()),
    deciders: fc.uniqueArray(line(), { maxLength: 2 }),
    consulted: fc.uniqueArray(line(), { maxLength: 2 }),
    informed: fc.uniqueArray(line(), { maxLength: 2 }),
    outcome: fc.constantFrom(...outcomes),
    outcome_notes: maybe(text()),
    supersedes: maybe(fc.uuid({ version: 7 })),
    relates_to: fc.uniqueArray(fc.uuid({ version: 7 }), { maxLength: 2 }),
  });

/** Returns the parsed record that a decision must produce. */
function toldOf(decision: Decision): ParsedMadr {
  const { id, title, question, status, tags, external_id, expected_by, supersedes, relates_to } = decision;
  const { resolution, rationale, outcome_notes, outcome } = decision;
  return {
    ...{ id, title, question, status, tags, external_id, expected_by, supersedes, relates_to },
    ...{ resolution, rationale, outcome_notes },
    outcome: outcome === 'pending' && !outcome_notes?.startsWith('Outcome: ') ? null : outcome,
    context: decision.description,
    drivers: decision.criteria,
    type: decision.decision_type,
    decision_makers: decision.decided_by,
    review_by: decision.review_by,
    review_every_months: decision.review_every_months,
    deciders: decision.deciders,
    consulted: decision.consulted,
    informed: decision.informed,
    superseded_by: null,
    date: `${decision.updated_at.slice(0, 10)}T00:00:00.000Z`,
    options: decision.options_considered.map((given) =>
      typeof given === 'string' ? { title: given, pros: [], cons: [] } : given,
    ),
  };
}

describe('a decision', () => {
  it('is the same after it is written as Markdown and parsed', () => {
    fc.assert(
      fc.property(decisions(), (given) => {
        const decision = sampleDecision(given);
        expect(parseMadr(madrOf(decision))).toEqual(toldOf(decision));
      }),
      { seed: 20_251, numRuns: 1_000 },
    );
  });

  it.each<Partial<Decision>>([
    { resolution: 'X', rationale: 'it is called "X"' },
    { resolution: 'Wait, because of the price', rationale: 'why' },
    { resolution: 'Wait", because of "it', rationale: null },
    { resolution: 'One\nTwo', rationale: null },
    { resolution: null, rationale: 'Chosen option: "X", because Y' },
    { title: '2025: raise prices' },
    { title: ' ' },
    { title: '\n\u00a0' },
    { title: ' Use  it\nnow #' },
    { description: 'Why', question: 'Which?' },
    { description: 'Which?', question: 'Which?' },
    { description: '', question: 'Use PostgreSQL' },
    { outcome_notes: 'Outcome: success' },
  ])('of %j is the same after it is written and parsed', (given) => {
    const decision = sampleDecision(given);
    expect(parseMadr(madrOf(decision))).toEqual(toldOf(decision));
  });
});
