import { describe, expect, it } from '@jest/globals';
import { Decision } from '@waymark/contracts';
import { processorMs, sampleDecision } from '@waymark/testing';
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
    "'",
    '&',
    '(',
    'a',
    'é',
    '\u{1f600}',
  ),
  maxLength: 20,
});
/** A formula, but no line of a list, behind which the cell ends, or a text that follows a word directly. */
const FORMULA = /^(?![-+] (?:[^(|!"]|"")*(?:$|(?<=[\p{L}\p{N}.])"(?!")))[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** Splits a file as spreadsheets do: quotes count at the beginning of a cell only. */
function cellsOf(text: string, separator: string): string[] {
  const cell = `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\r\n]*)(?:[${separator}\r\n]|$)`;
  return [...text.matchAll(new RegExp(cell, 'g'))].map(
    ([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest,
  );
}

async function csvText(decisions: Decision[]): Promise<string> {
  async function* each() {
    yield* decisions;
  }
  let text = '';
  for await (const part of csvOf(each())) text += part;
  return text;
}

describe('decisions as CSV', () => {
  it('are rows of a strict parser, and no cell is a formula, however a spreadsheet splits rows', async () => {
    const rows = fc.array(fc.record({ title: nasty, description: nasty, tags: fc.array(nasty) }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const text = await csvText(given.map(sampleDecision));
        const [header, ...read] = parseCsv(text);
        expect(header).toEqual(columns);
        expect(read).toHaveLength(given.length);
        for (const cell of read.flat()) expect(cell).not.toMatch(/^[\t\r\n]/);
        for (const separator of [',', ';', '\t']) {
          expect(cellsOf(text, separator).filter((cell) => FORMULA.test(cell))).toEqual([]);
        }
      }),
    );
  });

  // The console's csv-records.test.ts reads the same cells back.
  it.each([
    ['foo;=1+1', "foo;'=1+1"],
    ["'=1", "''=1"],
    ["it's; 'x", "it's; 'x"],
    ['foo;"=cmd|x!A1', `foo;'"=cmd|x!A1`],
    ['a\n"=1+1', `a\n'"=1+1`],
    ['a\t@b', "a\t'@b"],
    ['To do\n- item (x)\n- item\n=1', "To do\n'- item (x)\n- item\n'=1"],
    ['To do\n- 1&', "To do\n'- 1&"],
  ])('%j is written in quotes, if at all, as %j', async (title, written) => {
    const [, row] = parseCsv(await csvText([sampleDecision({ title })]));
    expect(row![columns.indexOf('title')]).toBe(written);
  });

  it('have quotes around a cell with a separator of other spreadsheets', async () => {
    expect(await csvText([sampleDecision({ title: 'a;b' })])).toContain('"a;b"');
  });

  it.each(['"', "'", ';', ';"', '\n- '])('of 100,000 times %j are written in no time', async (part) => {
    const decision = sampleDecision({ description: part.repeat(100_000) });
    expect(await processorMs(() => csvText([decision]), 1_000)).toBeLessThan(1_000);
  });
});
