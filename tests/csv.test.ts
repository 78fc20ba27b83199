import { expect, it } from '@jest/globals';
import type { Decision } from '@waymark/contracts';
import { processorMs, sampleDecision } from '@waymark/testing';
import fc from 'fast-check';
import { guessFields, importFileOf } from '../apps/console/src/transfer/csv/csv-records.ts';
import { parseCsv } from '../apps/console/src/transfer/csv/parse-csv.ts';
import { csvOf } from '../services/decisions/src/decisions/csv.ts';

const place = { id: 'w', name: 'Harbour', userId: 'u' };

/** Returns the decisions as the console's import of tables reads the export of the decisions service. */
async function readBack(decisions: Decision[]): Promise<Decision[]> {
  async function* each() {
    yield* decisions;
  }
  let text = '';
  for await (const part of csvOf(each())) text += part;
  const [header = [], ...records] = parseCsv(text);
  const rows = records.map((cells, at) => ({ row: at + 2, cells }));
  const file = importFileOf({ header, rows }, guessFields(header), place);
  return JSON.parse(await file.text()).decisions;
}

const nasty = fc.string({ unit: fc.constantFrom(...`=-@;\t\r\n"',+ (&a＝`), maxLength: 20 });

it('an export as CSV is imported with exactly its texts', async () => {
  const texts = fc.record({ title: nasty, description: nasty, tags: fc.array(nasty, { minLength: 1 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1 }), async (given) => {
      const read = await readBack(given.map(sampleDecision));
      expect(read.map(({ title, description, tags }) => ({ title, description, tags }))).toEqual(
        // Blanks around a cell are no part of its text.
        given.map(({ title, description, tags }) => ({
          title: title.trim() || undefined,
          description: description.trim() || undefined,
          tags,
        })),
      );
    }),
    { numRuns: 300 },
  );
});

it.each([`'"`, `'`, `;'`, `\n'`, '\n- '])('of 100,000 times %j, it is read in no time', async (part) => {
  const decision = sampleDecision({ description: `x${part.repeat(100_000)}` });
  expect(await processorMs(() => readBack([decision]), 1_000)).toBeLessThan(1_000);
});
