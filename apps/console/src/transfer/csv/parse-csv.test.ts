import { describe, expect, it } from '@jest/globals';
import { parseCsv, readCsv } from './parse-csv.ts';

const read = (content: string | Uint8Array<ArrayBuffer>) => readCsv(new Blob([content]));

describe('a table', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\r1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '"a,b";c\n1;2',
      [
        ['a,b', 'c'],
        ['1', '2'],
      ],
    ],
    ['a\n"1\r\n2, ""3"""', [['a'], ['1\r\n2, "3"']]],
    [
      'a,b\n"""1""",""',
      [
        ['a', 'b'],
        ['"1"', ''],
      ],
    ],
    [
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a,b\n\n=1+1,5" pipe', [['a', 'b'], [''], ['=1+1', '5" pipe']]],
    ['', []],
  ])('%j is split into cells', (text, cells) => expect(parseCsv(text)).toEqual(cells));

  it('keeps the numbers that a spreadsheet shows, without blank rows', async () => {
    expect(await read('\ufeffTitle,Tags\n\n"Two\nlines"\n,,\nPier,sea\n')).toEqual({
      header: ['Title', 'Tags'],
      rows: [
        { row: 3, cells: ['Two\nlines'] },
        { row: 5, cells: ['Pier', 'sea'] },
      ],
    });
  });

  it.each([
    ['', 'The file is empty'],
    [' \n1', 'The file is empty'],
    ['title,tags\r\n', 'no row below the first one'],
    ['title\n"Light', 'A quotation mark in row 2 is not closed.'],
    ['title\n\nLight the pier, now', 'Row 3 has more than 1 cells'],
    [new Uint8Array([0x74, 0x0a, 0xe4]), 'not in UTF-8'],
    [`t\n${'x\n'.repeat(100_001)}`, 'can have 100,000 rows'],
    [','.repeat(101), 'The file is empty'],
    [`a${',b'.repeat(100)}`, 'can have 100 columns'],
    [new Uint8Array(64 * 1024 * 1024 + 1), 'can have 64 MiB'],
  ])('is refused in words (%#)', (content, words) =>
    expect(read(content)).rejects.toMatchObject({ local: { detail: expect.stringContaining(words) } }),
  );

  it('of 100,000 rows takes little time', async () => {
    const { rows } = await read(`title,tags\n${'"Light ""the"" pier",sea\n'.repeat(100_000)}`);
    expect(rows).toHaveLength(100_000);
  });
});
