import { describe, expect, it } from '@jest/globals';
import type { DecisionOption, Quality } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import fc from 'fast-check';
import { type ScoredFields, scoreDecision } from './score-decision.ts';

const blank: ScoredFields = sampleDecision({ title: '' });
const weighed = (title: string) => ({ title, pros: ['cheap'], cons: ['slow'] });
const whole: ScoredFields = {
  title: 'Which broker carries our events?',
  question: null,
  description: 'd'.repeat(200),
  status: 'proposed',
  resolution: 'NATS',
  rationale: `NATS beats Kafka, see https://nats.io ${'r'.repeat(300)}`,
  options_considered: [weighed('NATS'), weighed('Kafka'), weighed('Redis')],
  criteria: ['durability', 'ease'],
  decision_type: 'architecture',
  tags: ['events'],
  expected_by: '2026-12-31T23:59:59.999Z',
  decided_by: 'Ada',
  deciders: [],
  outcome: 'pending',
  outcome_confidence_kind: 'forecast',
};

type Name = Quality['components'][number]['name'];
const component = (fields: Partial<ScoredFields>, name: Name) =>
  scoreDecision({ ...blank, ...fields }).components.find((c) => c.name === name)!;
const points = (fields: Partial<ScoredFields>, name: Name) => component(fields, name).points;

describe('dq-1, row by row', () => {
  it.each([
    ['one word', { title: 'Broker' }, 0],
    ['no word at all', { title: '? - !' }, 0],
    ['two words', { title: 'Which broker' }, 2],
    ['three words', { title: 'Which broker now' }, 2],
    ['four words', { title: 'Which broker do we' }, 5],
    ['a longer question', { title: 'Broker', question: 'Which broker do we use?' }, 5],
    ['half a description', { description: 'd'.repeat(100) }, 5],
    ['a whole description', { description: 'd'.repeat(200) }, 10],
    ['a long description', { description: 'd'.repeat(2_000) }, 10],
    ['white space', { description: ' '.repeat(200) }, 0],
  ])('frame: %s', (_, fields, expected) => expect(points(fields, 'frame')).toBe(expected));

  it.each<[string, DecisionOption[], number]>([
    ['none', [], 0],
    ['one', ['A'], 4],
    ['two', ['A', 'B'], 14],
    ['three', ['A', 'B', 'C'], 20],
    ['more', ['A', 'B', 'C', 'D', 'E'], 20],
    ['one in three spellings', ['Go kit', 'go  KIT', weighed(' Go kit ')], 4],
  ])('alternatives: %s', (_, options_considered, expected) =>
    expect(points({ options_considered }, 'alternatives')).toBe(expected),
  );

  it.each<[string, Partial<ScoredFields>, number]>([
    ['no options', {}, 0],
    ['every option weighed', { options_considered: [weighed('A'), weighed('B')] }, 10],
    ['one of two weighed', { options_considered: [weighed('A'), 'B'] }, 5],
    ['one of three weighed', { options_considered: [weighed('A'), 'B', 'C'] }, 3.3333],
    ['pros only', { options_considered: [{ title: 'A', pros: ['p'], cons: [] }] }, 0],
    ['a link in the description', { description: 'see http://example.com' }, 5],
    ['a link in the rationale', { rationale: '[bench](https://example.com/x)' }, 5],
    ['a link in a con', { options_considered: [{ title: 'A', pros: [], cons: ['https://example.com'] }] }, 5],
    ['no real link', { description: 'https:// and http' }, 0],
  ])('information: %s', (_, fields, expected) => expect(points(fields, 'information')).toBe(expected));

  it.each<[string, Partial<ScoredFields>, number]>([
    ['no criterion', {}, 0],
    ['one criterion', { criteria: ['cost'] }, 2],
    ['two criteria', { criteria: ['cost', 'speed'] }, 5],
    ['one criterion twice', { criteria: ['cost', 'Cost'] }, 2],
    ['the chosen option has a con', { options_considered: [weighed('A')], resolution: 'We take a.' }, 5],
    ['another option has a con', { options_considered: [weighed('A'), 'B'], resolution: 'B' }, 0],
    [
      'the first that is named is chosen',
      { options_considered: ['A', weighed('B')], resolution: 'A, not B' },
      0,
    ],
    ['the longer of two names', { options_considered: ['Go', weighed('Go kit')], resolution: 'Go kit' }, 5],
    ['part of a word is no name', { options_considered: [weighed('Go')], resolution: 'Gold' }, 0],
    ['scripts without spaces', { options_considered: [weighed('方案甲')], resolution: '采用方案甲吧' }, 5],
    ['nothing is chosen', { options_considered: [weighed('A')] }, 0],
  ])('trade-offs: %s', (_, fields, expected) => expect(points(fields, 'trade_offs')).toBe(expected));

  it.each<[string, Partial<ScoredFields>, number]>([
    ['nothing', {}, 0],
    ['half a rationale', { rationale: 'r'.repeat(150) }, 5],
    ['a whole rationale', { rationale: 'r'.repeat(300) }, 10],
    ['a resolution', { resolution: 'yes' }, 5],
    ['a blank resolution', { resolution: ' \n' }, 0],
    ['one option named', { rationale: 'A'.padEnd(300, '.'), options_considered: ['A', 'B'] }, 12],
    ['two options named', { rationale: 'b over a'.padEnd(300, '.'), options_considered: ['A', 'B'] }, 15],
  ])('reasoning: %s', (_, fields, expected) => expect(points(fields, 'reasoning')).toBe(expected));

  it.each<[string, Partial<ScoredFields>, number]>([
    ['nothing', {}, 0],
    ['a date', { expected_by: '2026-12-31T23:59:59.999Z' }, 5],
    ['a decider', { decided_by: 'Ada' }, 5],
    ['both', { expected_by: '2026-12-31T23:59:59.999Z', decided_by: 'Ada' }, 10],
  ])('commitment: %s', (_, fields, expected) => expect(points(fields, 'commitment')).toBe(expected));

  it.each<[string, Partial<ScoredFields>, number]>([
    ['nothing', {}, 0],
    ['a forecast', { outcome_confidence_kind: 'forecast' }, 6],
    ['a confidence after the fact', { outcome: 'success', outcome_confidence_kind: 'retrospective' }, 0],
    ['a type', { decision_type: 'hiring' }, 2],
    ['tags', { tags: ['a', 'b'] }, 2],
  ])('learnability: %s', (_, fields, expected) => expect(points(fields, 'learnability')).toBe(expected));
});

describe('dq-1, the score', () => {
  it('is 100 for a complete decision, and lists no action that would raise it', () => {
    const quality = scoreDecision(whole);
    expect(quality).toMatchObject({ model: 'dq-1', score: 100, capped: false });
    expect(quality.components.map(({ max }) => max)).toEqual([15, 20, 15, 10, 20, 10, 10]);
    expect(quality.components.every(({ raise }) => raise.length === 0)).toBe(true);
  });

  it('is 0 for a blank one', () => expect(scoreDecision(blank)).toMatchObject({ score: 0, capped: false }));

  it('is rounded', () => {
    expect(scoreDecision({ ...blank, description: 'd'.repeat(9) }).score).toBe(0);
    expect(scoreDecision({ ...blank, description: 'd'.repeat(10) }).score).toBe(1);
  });

  it.each<[string, Partial<ScoredFields>]>([
    ['without a frame', { title: 'Broker', description: '' }],
    ['with one option', { options_considered: [weighed('NATS')] }],
    ['without reasoning', { resolution: null, rationale: null }],
  ])('is held at 50 %s', (_, fields) =>
    expect(scoreDecision({ ...whole, ...fields })).toMatchObject({ score: 50, capped: true }),
  );

  it('lists the actions that would raise it, with their points', () => {
    expect(component({ title: 'Which broker' }, 'frame').raise).toEqual([
      { points: 3, action: expect.stringContaining('four words') },
      { points: 10, action: expect.stringContaining('200 characters') },
    ]);
  });

  it('does not ask for a forecast when it is too late for one', () => {
    const late = component({ outcome: 'failure' }, 'learnability');
    expect(late.raise.map(({ action }) => action).join()).not.toMatch(/confidence/);
    const pendingAgain = scoreDecision(blank, { forecastOpen: false });
    expect(JSON.stringify(pendingAgain)).not.toMatch(/confidence/);
  });
});

describe('dq-2', () => {
  const score2 = (fields: Partial<ScoredFields>) =>
    scoreDecision({ ...blank, ...fields }, { model: 'dq-2' }).score;
  const pointsOf = (fields: Partial<ScoredFields>, name: Name) =>
    scoreDecision({ ...blank, ...fields }, { model: 'dq-2' }).components.find((c) => c.name === name)!.points;
  const inLetters = (n: number) => String(n).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);
  const words = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `word${inLetters(from + n)}`).join(' ');

  it('gives padding and letters without a word little', () => {
    const padded = {
      ...{ ...whole, title: 'aaa bbb ccc ddd', description: 'd'.repeat(200), rationale: 'r'.repeat(300) },
      ...{ resolution: 'x', options_considered: ['x', 'y', 'z'].map(weighed), criteria: ['a', 'b'] },
    };
    expect(scoreDecision(padded).score).toBeGreaterThan(80);
    expect(score2(padded)).toBeLessThan(30);
  });

  it.each([
    ['repeats itself', 'lorem ipsum '.repeat(50)],
    ['counts its words', Array.from({ length: 80 }, (_, n) => `word${n} v${n} ${n}`).join(' ')],
    ['is numbers', Array.from({ length: 80 }, (_, n) => `${n}.${n} ${n}`).join(' ')],
  ])('holds a text that %s at 50', (_, text) => {
    const repeated = { description: text, rationale: text };
    const { score, capped } = scoreDecision({ ...whole, ...repeated }, { model: 'dq-2' });
    expect([score, capped]).toEqual([50, true]);
  });

  it.each([
    'In the second quarter of 2026 three of our 14 services lost 2 orders each, because v1 of the API has no keys',
    'Im zweiten Quartal 2026 verloren drei unserer 14 Dienste je 2 Bestellungen, weil die API in v1 keine Schlüssel hat',
    '2026年第二季度，14个服务中有三个各丢失了2个订单，因为API的v1没有幂等键，重试时会重复写入数据库',
    'في الربع الثاني من عام 2026 فقدت ثلاث من خدماتنا طلبين لأن الواجهة لا تملك مفاتيح تمنع التكرار عند إعادة المحاولة',
  ])('counts the words of real sentences with numbers: %s', (description) =>
    expect(pointsOf({ description }, 'frame')).toBeGreaterThan(5),
  );

  it('counts what HTML says, and neither its tags and comments, nor placeholders and addresses', () => {
    const tags = words(40).replaceAll(' ', '="x" ');
    const description = `<!-- ${words(40)} --><p ${tags}>{${words(40)}}Two of three</p><br/> https://example.com/${words(40).replaceAll(' ', '/')}`;
    expect(pointsOf({ description }, 'frame')).toBe(pointsOf({ description: 'Two of three' }, 'frame'));
    const text = words(30);
    // A tag is within a line: a line that is added takes no words away.
    for (const description of [`a < b: ${text}, c > d`, `Map<a, b> if a <b ${text} c>`, `a <b c= ${text}\n>`])
      expect(pointsOf({ description }, 'frame')).toBe(10);
    const chinese = (url: string) => ({ description: `详见${url}，因为我们需要两个可用区，并且成本更低。` });
    const [address, none] = ['https://example.com/a', ''].map((url) => pointsOf(chinese(url), 'frame'));
    expect([address, none! > 3]).toEqual([none, true]);
  });

  it('takes members who decide for who decided', () => {
    const deciders = ['01890a5d-ac96-774b-bcce-b302099a8057'];
    expect([points({ deciders }, 'commitment'), pointsOf({ deciders }, 'commitment')]).toEqual([0, 3]);
  });

  it('gives the shape of title, description and status a fair middle', () => {
    const description = `We looked at three:\n- NATS: ${words(20)}\n- Kafka: ${words(20, 20)}\n- Redis: ${words(40, 40)} https://nats.io`;
    const small = { title: 'Which broker carries our events?', description, status: 'accepted' as const };
    expect(score2(small)).toBe(45);
    const { components } = scoreDecision({ ...blank, ...small }, { model: 'dq-2' });
    const { raise } = components.find(({ name }) => name === 'alternatives')!;
    expect(raise[0]).toEqual({ points: 2, action: 'Record as options what the text lists.' });
    expect(scoreDecision({ ...blank, ...small }).score).toBe(20);
  });

  it('counts the words of a language that does not space them', () => {
    const title = '我们应该使用哪个数据库来保存决策';
    expect([points({ title }, 'frame'), pointsOf({ title }, 'frame')]).toEqual([0, 5]);
  });

  it('gives nothing for a copy of the description', () => {
    const description = words(30);
    const copied = pointsOf({ description, rationale: description }, 'reasoning');
    expect(copied).toBe(pointsOf({ rationale: description }, 'reasoning'));
    expect(pointsOf({ description, rationale: words(40, 30) }, 'reasoning')).toBe(10);
  });

  it('counts one pro for all options once', () => {
    const options_considered = ['NATS', 'Kafka'].map((title) => ({ title, pros: ['cheap'], cons: ['slow'] }));
    expect([
      points({ options_considered }, 'information'),
      pointsOf({ options_considered }, 'information'),
    ]).toEqual([10, 5]);
  });

  it('reads the longest line of blanks at once', () => {
    const description = `- ${' '.repeat(200_000)}a\u2028b`;
    expect(scoreDecision({ ...blank, description }, { model: 'dq-2' }).score).toBeLessThan(20);
  });

  it('is 100 for a complete decision', () => {
    const prose = {
      description: words(30),
      rationale: `NATS beats Kafka, see https://nats.io ${words(40, 30)}`,
    };
    const options_considered = ['NATS', 'Kafka', 'Redis'].map((title) => ({
      title,
      pros: [`${title} is cheap`],
      cons: [`${title} is slow`],
    }));
    const fields = { ...whole, ...prose, options_considered, status: 'accepted' as const };
    expect(scoreDecision(fields, { model: 'dq-2' })).toMatchObject({ score: 100, capped: false });
  });
});

const option = fc.oneof(
  fc.constantFrom('NATS', 'Kafka', 'Redis Streams'),
  fc.string({ maxLength: 20 }),
  fc.record({
    title: fc.constantFrom('NATS', 'Kafka', 'Pulsar'),
    pros: fc.array(fc.string({ maxLength: 10 }), { maxLength: 2 }),
    cons: fc.array(fc.string({ maxLength: 10 }), { maxLength: 2 }),
  }),
);
const prose = fc.array(fc.oneof(fc.constantFrom('NATS', 'kafka', 'https://a.b', 'ΟΔΟΣ'), fc.string()), {
  maxLength: 60,
});
const joined = prose.map((words) => words.join(' '));
const decision: fc.Arbitrary<ScoredFields> = fc.record({
  title: joined,
  question: fc.option(joined),
  description: joined,
  status: fc.constantFrom('proposed', 'accepted'),
  resolution: fc.option(joined),
  rationale: fc.option(joined),
  options_considered: fc.array(option, { maxLength: 6 }),
  criteria: fc.array(fc.string(), { maxLength: 3 }),
  decision_type: fc.option(fc.string()),
  tags: fc.array(fc.string(), { maxLength: 3 }),
  expected_by: fc.option(fc.constant('2026-12-31T23:59:59.999Z')),
  decided_by: fc.option(fc.string()),
  deciders: fc.array(fc.uuid(), { maxLength: 2 }),
  outcome: fc.constantFrom('pending', 'success', 'partial', 'failure', 'abandoned'),
  outcome_confidence_kind: fc.option(fc.constantFrom('forecast', 'retrospective')),
});
const holds = (property: (fields: ScoredFields, text: string) => void) =>
  fc.assert(fc.property(decision, joined, property), { numRuns: 300 });

describe.each(['dq-1', 'dq-2'] as const)('%s, for every decision', (model) => {
  const score = (fields: ScoredFields) => scoreDecision(fields, { model }).score;

  it('is an integer from 0 to 100, and the sum of its components unless it is capped', () => {
    holds((fields) => {
      const quality = scoreDecision(fields, { model });
      const sum = quality.components.reduce((total, { points }) => total + points, 0);
      expect(Number.isInteger(quality.score)).toBe(true);
      expect(quality.score).toBeGreaterThanOrEqual(0);
      expect(quality.score).toBeLessThanOrEqual(100);
      expect(quality.score).toBe(quality.capped ? 50 : Math.round(Number(sum.toFixed(4))));
    });
  });

  it('lacks exactly the points of the listed actions while a forecast is open', () => {
    holds((fields) => {
      for (const { points, max, raise } of scoreDecision(fields, { model, forecastOpen: true }).components) {
        expect(points + raise.reduce((sum, row) => sum + row.points, 0)).toBeCloseTo(max, 3);
        expect(raise.every((row) => row.points > 0)).toBe(true);
      }
    });
  });

  it('does not depend on the outcome', () => {
    holds((fields) => {
      const scores = (['pending', 'success', 'partial', 'failure', 'abandoned'] as const).map((outcome) =>
        score({ ...fields, outcome }),
      );
      expect(new Set(scores).size).toBe(1);
    });
  });

  it('never falls when something is added', () => {
    holds((fields, text) => {
      const before = score(fields);
      const grown: Partial<ScoredFields>[] = [
        { rationale: `${fields.rationale ?? ''}\n${text}` },
        { description: `${fields.description}\n${text}` },
        { resolution: fields.resolution ?? text },
        { criteria: [...fields.criteria, text] },
        { tags: [...fields.tags, 'more'] },
        { decided_by: fields.decided_by ?? text },
        { decision_type: fields.decision_type ?? text },
        { expected_by: '2027-12-31T23:59:59.999Z' },
        { outcome_confidence_kind: 'forecast' },
      ];
      for (const added of grown) expect(score({ ...fields, ...added })).toBeGreaterThanOrEqual(before);
    });
  });
});
