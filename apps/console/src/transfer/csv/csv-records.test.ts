import { expect, it } from '@jest/globals';
import { expectedIn, type Field, guessFields, importFileOf } from './csv-records.ts';

const place = { id: 'w', name: 'Harbour', userId: 'u' };
async function recordsOf(fields: (Field | null)[], ...cells: string[][]) {
  const rows = cells.map((row, at) => ({ row: at + 2, cells: row }));
  const file = JSON.parse(await importFileOf({ header: [], rows }, fields, place).text());
  expect(file).toMatchObject({ schema_version: 1, counts: { decisions: rows.length } });
  return file.decisions as Record<string, unknown>[];
}
const cellAs = async (field: Field, cell: string) => (await recordsOf([field], [cell]))[0]![field];
// An expression that tries each blank again would read it for minutes.
const LONG = `1${' '.repeat(300_000)}x`;

it('columns get the fields that their headings name, each once', () => {
  expect(guessFields(['TITLE ', 'Tags', 'tags', 'decision_type', 'External-ID', 'Owner'])).toEqual([
    ...['title', 'tags', null, 'decision_type', 'external_id', null],
  ]);
});

it.each<[Field, string, unknown]>([
  ['title', " '=1+1 ", "'=1+1"],
  ['title', "'=1+1", '=1+1'],
  ['title', "foo;'=1+1", 'foo;=1+1'],
  ['title', "''=1", "'=1"],
  ['title', "it's; 'x", "it's; 'x"],
  ['title', "a\t'@b", 'a\t@b'],
  ['title', "To do\n'- item (x)\n- item\n'=1", 'To do\n- item (x)\n- item\n=1'],
  ['status', 'Accepted', 'accepted'],
  ['status', 'angenommen', 'angenommen'],
  ['tags', 'sea, site; sea', ['sea, site', 'sea']],
  ['tags', 'sea,site,sea', ['sea', 'site']],
  ['options_considered', 'Buy, soon\nBuild', ['Buy, soon', 'Build']],
  ['options_considered', '[{"title":"Buy"}]', [{ title: 'Buy' }]],
  ['tags', '[draft', ['[draft']],
  ['expected_by', '2026-05-31', '2026-05-31T00:00:00.000Z'],
  ['expected_by', '1.5.2026', '2026-05-01T00:00:00.000Z'],
  ['expected_by', '31.6.2026', '31.6.2026'],
  ['expected_by', '5/31/2026', '5/31/2026'],
  ['created_at', '2026-05-31T10:00:00.000Z', '2026-05-31T10:00:00.000Z'],
  ['outcome_confidence', '70 %', 0.7],
  ['outcome_confidence', '70', 0.7],
  ['outcome_confidence', '0,7', 0.7],
  ['outcome_confidence', 'high', 'high'],
  ['outcome_confidence', LONG, LONG],
  ['review_every_months', '12', 12],
])('a cell of %s, %.20j, becomes %.20j', async (field, cell, value) =>
  expect(await cellAs(field, cell)).toEqual(value),
);

it.each<[Field, string, string | null]>([
  ['created_at', '5/31/2026', 'is not a day such as 2026-05-31 or 31.05.2026'],
  ['created_at', '1965-01-01', null],
  ['outcome', 'superb', 'can be pending, success, partial, failure, or abandoned'],
  ['outcome', 'success', null],
  ['tags', 'sea', null],
])('of a cell of %s, %s, the report says %j', (field, cell, says) =>
  expect(expectedIn(field, cell)).toBe(says),
);

it('a row has the same id each time: of its external id, or of all its cells', async () => {
  const idsOf = async (fields: (Field | null)[], ...cells: string[][]) =>
    (await recordsOf(fields, ...cells)).map(({ id }) => id);
  const [first, second] = await idsOf(['title'], ['Pier'], ['Pier']);
  expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(second).not.toBe(first);
  expect(await idsOf(['title', null], ['Pier', 'x'])).toEqual([first]);
  const [before] = await idsOf(['title', 'external_id'], ['Pier', 'P-1']);
  expect(await idsOf(['external_id', 'title'], ['P-1', 'Pier 1'])).toEqual([before]);
  const many = Array.from({ length: 20_000 }, (_, at) => [`Pier ${at}`]);
  expect(new Set(await idsOf(['title'], ...many)).size).toBe(20_000);
  expect(await idsOf(['title', 'id'], ['Pier', 'given'])).toEqual(['given']);
});

it('a row has the defaults of a decision, and the question where it has no title', async () => {
  const [record] = await recordsOf(['question', 'outcome', 'outcome_confidence'], ['Why?', 'success', '0.7']);
  expect(record).toMatchObject({ title: 'Why?', created_by: 'u', outcome_confidence_kind: 'retrospective' });
  expect(record).not.toHaveProperty('tags');
});
