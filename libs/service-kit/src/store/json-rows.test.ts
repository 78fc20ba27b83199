import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BSON, type Document, Double, Int32, Long } from 'mongodb';
import { jsonList, jsonRows } from './json-rows.ts';

const rowsOf = (documents: Document[]) =>
  jsonRows(
    'head\n',
    documents.map((document) => BSON.serialize(document)),
  ).toString();
const expected = (documents: Document[]) =>
  documents.reduce((text, { _id: id, ...rest }) => `${text},${JSON.stringify({ id, ...rest })}`, 'head\n');

/**
 * The values that records consist of. A name is never __proto__, because JavaScript would change that
 * document.
 */
const name = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text !== '__proto__');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary-ascii' }),
    fc.constantFrom('"', '\\', '\u0000\u001f\u007f', '\u2028', 'é漢😀', 'x'.repeat(5_000), '"'.repeat(5_000)),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(name, tie('value')),
  ),
}));
const documents = fc.array(
  fc.tuple(fc.uuid(), fc.dictionary(name, value)).map(([_id, rest]): Document => ({ ...rest, _id })),
  { minLength: 1 },
);

describe('rows', () => {
  it('are the documents as JSON, with id in place of _id', () => {
    fc.assert(
      fc.property(documents, (some) => {
        const stored = some.map(({ _id, ...rest }) => ({ _id, ...rest }));
        expect(rowsOf(stored)).toBe(expected(stored));
      }),
    );
  });

  it('grow the buffer for escaped text', () => {
    const stored = [{ _id: 'a', text: '"'.repeat(1_000) + 'x'.repeat(1_000) }];
    expect(rowsOf(stored)).toBe(expected(stored));
  });

  it('keep a nested _id', () => {
    expect(rowsOf([{ a: { _id: 1 }, _idx: 2 }])).toBe('head\n,{"a":{"_id":1},"_idx":2}');
  });

  it('format numbers as JavaScript does', () => {
    const numbers = { a: new Int32(-7), b: new Double(1e21), c: new Double(-0), d: new Double(Number.NaN) };
    expect(rowsOf([{ _id: 'a', ...numbers }])).toBe('head\n,{"id":"a","a":-7,"b":1e+21,"c":0,"d":null}');
  });

  it('support types that records do not use', () => {
    const at = new Date(0);
    const some = [{ _id: 'a', first: 'x', at }, { _id: 'b', list: [Long.fromNumber(2 ** 40)] }, { _id: 'c' }];
    expect(rowsOf(some)).toBe(
      'head\n,{"id":"a","first":"x","at":"1970-01-01T00:00:00.000Z"},{"id":"b","list":[1099511627776]},{"id":"c"}',
    );
  });
});

describe('rows with defaults', () => {
  const defaults = { status: 'backlog', data: '{}', owner: null };
  const listOf = (some: Document[]) => {
    const bytes = some.map((document) => BSON.serialize(document));
    return JSON.parse(jsonList(bytes, { jsonFields: ['data'], defaults }).toString());
  };

  it('add the missing fields of a document and keep the existing ones', () => {
    const whole = { status: 'done', data: '{"a":1}', owner: null };
    const nested = { inner: { status: 1, data: 2, owner: 3 } };
    expect(
      listOf([
        { _id: 'a', ...whole },
        { _id: 'b', status: 'todo' },
        { _id: 'c', ...nested },
      ]),
    ).toEqual([
      { id: 'a', status: 'done', data: { a: 1 }, owner: null },
      { id: 'b', status: 'todo', data: {}, owner: null },
      { id: 'c', status: 'backlog', data: {}, owner: null, ...nested },
    ]);
  });
});

describe('a list', () => {
  const listOf = (some: Document[], jsonFields?: string[]) =>
    jsonList(
      some.map((document) => BSON.serialize(document)),
      jsonFields && { jsonFields },
    ).toString();

  it('is the documents as JSON, with the texts of JSON fields as JSON', () => {
    const cases = fc.array(fc.record({ _id: fc.uuid(), title: fc.string(), data: value, rule: value }));
    fc.assert(
      fc.property(cases, (some) => {
        const stored = some.map((document) => ({
          ...document,
          data: JSON.stringify(document.data),
          rule: document.rule === null ? null : JSON.stringify(document.rule),
        }));
        const list = some.map(({ _id: id, ...rest }) => ({ id, ...rest }));
        expect(listOf(stored, ['data', 'rule'])).toBe(JSON.stringify(list));
      }),
    );
  });

  it('writes only top-level text fields as JSON', () => {
    const some = [{ _id: 'a', data: 1, x: { data: '{}' }, list: ['{}'], dat: '{}', datas: '{}' }];
    expect(listOf(some, ['data'])).toBe(
      '[{"id":"a","data":1,"x":{"data":"{}"},"list":["{}"],"dat":"{}","datas":"{}"}]',
    );
  });

  it('writes JSON fields beside types that records do not use', () => {
    const some = [{ _id: 'a', at: new Date(0), data: '{"b":1}', rule: null }];
    expect(listOf(some, ['data', 'rule'])).toBe(
      '[{"id":"a","at":"1970-01-01T00:00:00.000Z","data":{"b":1},"rule":null}]',
    );
  });

  it('may be empty', () => {
    expect(listOf([])).toBe('[]');
  });
});
