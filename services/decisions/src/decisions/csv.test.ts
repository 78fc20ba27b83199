import { describe, expect, it } from '@jest/globals';
import { Decision } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import fc from 'fast-check';
import { parseCsv } from '../../test/parse-csv.ts';
import { csvOf } from './csv.ts';

const columns = Object.keys(Decision.shape);

/**
 * Text that is hard for a CSV writer: separators, line ends, quotes, formula signs, characters beyond the
 * Basic Multilingual Plane.
 */
const nasty = fc.string({
  unit: fc.constantFrom(
    ',',
    '"',
    '\r',
    '\n',
    '\r\n',
    '=',
    '+',
    '-',
    '@',
    '\t',
    ';',
    ' ',
    'a',
    'é',
    '\u{1f600}',
  ),
  maxLength: 20,
});
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const FORMULA_OF_PART = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const withoutQuotes = (text: string) => text.replaceAll("'", '');

async function csvText(decisions: Decision[]): Promise<string> {
  async function* each() {
    yield* decisions;
  }
  let text = '';
  for await (const part of csvOf(each())) text += part;
  return text;
}

describe('decisions as CSV', () => {
  it('are read back unchanged by a strict parser, except for apostrophes, and no part of a cell is a formula', async () => {
    const rows = fc.array(fc.record({ title: nasty, description: nasty, tags: fc.array(nasty) }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const [header, ...read] = parseCsv(await csvText(given.map(sampleDecision)));
        expect(header).toEqual(columns);
        expect(read).toHaveLength(given.length);
        for (const [i, { title, description, tags }] of given.entries()) {
          const cell = (name: string) => read[i]![columns.indexOf(name)];
          for (const [name, text] of [
            ['title', title],
            ['description', description],
          ] as const) {
            expect(withoutQuotes(cell(name)!)).toBe(withoutQuotes(text));
            for (const part of cell(name)!.split(/[;\t]/)) expect(part).not.toMatch(FORMULA_OF_PART);
            expect(cell(name)).not.toMatch(FORMULA);
          }
          expect(withoutQuotes(cell('tags')!)).toBe(withoutQuotes(JSON.stringify(tags)));
        }
      }),
    );
  });

  // The console's csv-records.test.ts reads the same cells back.
  it.each([
    ['foo;=1+1', "foo;'=1+1"],
    ["'=1", "''=1"],
    ["it's; 'x", "it's; 'x"],
    ['a\t@b', "a\t'@b"],
    ['To do\n- item (x)\n- item\n=1', "To do\n'- item (x)\n- item\n'=1"],
  ])('%j is written in quotes, if at all, as %j', async (title, written) => {
    const [, row] = parseCsv(await csvText([sampleDecision({ title })]));
    expect(row![columns.indexOf('title')]).toBe(written);
    expect(await csvText([sampleDecision({ title: 'a;b' })])).toContain('"a;b"');
  });
});
