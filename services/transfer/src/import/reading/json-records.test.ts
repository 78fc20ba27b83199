import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { fileOf } from '../../../test/file-of.ts';
import { FileFault } from './file-fault.ts';
import { type Found, jsonRecords } from './json-records.ts';

const exported = {
  schema_version: 1,
  workspace: { id: 'w', name: 'Straße 漢字 😀 "quoted" \\' },
  decisions: [{ id: 'a', tags: ['x', {}], n: -1.5e3 }, { id: 'b' }],
  links: [],
  messages: [{ id: 'm', content: '\ufeff\u2028 é a\ufeffb' }],
  counts: { decisions: 2, messages: 1 },
};
const whole = Buffer.from(JSON.stringify(exported));

async function read(bytes: Buffer, size = bytes.length): Promise<Found[]> {
  const found: Found[] = [];
  for await (const one of jsonRecords(fileOf(bytes, Math.max(1, size)))) found.push(one);
  return found;
}

describe('the records of an exported workspace', () => {
  it.each([1, 7, 64, whole.length])('are identical when read in pieces of %i bytes', async (size) => {
    expect(await read(whole, size)).toEqual([
      { head: 'schema_version', value: 1 },
      { head: 'workspace', value: exported.workspace },
      ...exported.decisions.map((value, index) => ({ collection: 'decisions', index, value })),
      ...exported.messages.map((value, index) => ({ collection: 'messages', index, value })),
      { head: 'counts', value: exported.counts },
    ]);
  });

  it('are refused if the file is truncated at any byte', async () => {
    for (let length = 0; length < whole.length; length += 1) {
      await expect(read(whole.subarray(0, length), 16)).rejects.toThrow(FileFault);
    }
  });

  it.each(['title,status\nLight the pier,proposed\n', '"title"', '1', '[]', 'PK\u0003\u0004'])(
    'are not in a file of another kind: %j',
    async (text) => {
      const message = 'The file is not an exported workspace, which is one JSON object.';
      await expect(read(Buffer.from(text))).rejects.toMatchObject({ path: '', message });
    },
  );

  it.each([
    ['arrays', '['],
    ['objects', '{"a":'],
  ])('are refused if %s are nested without an end', async (_, opening) => {
    const bomb = Buffer.from(`{"decisions":[${opening.repeat(limits.jsonDepth * 1_000)}`);
    await expect(read(bomb, 1_000)).rejects.toThrow(`nests deeper than ${limits.jsonDepth} levels`);
  });

  it('are refused if one has more values than the limit, because values need many times their size in memory', async () => {
    const { importRecordValues } = limits;
    const list = (count: number) => Buffer.from(`{"nodes":[{"data":{"a":[${'0,'.repeat(count)}0]}}]}`);
    await expect(read(list(importRecordValues - 10))).resolves.toHaveLength(1);
    await expect(read(list(importRecordValues), 1_000)).rejects.toThrow('has more than 50000 values');
  });

  it('are refused if one exceeds the size limit, even if it never ends', async () => {
    const { importRecordBytes } = limits;
    const record = (length: number) => `{"nodes":[{"data":{"a":"${'x'.repeat(length)}`;
    const refused = { path: 'nodes.0', message: `is larger than ${importRecordBytes} bytes` };
    await expect(read(Buffer.from(record(importRecordBytes)), 64 * 1024)).rejects.toMatchObject(refused);
    const fits = Buffer.from(`${record(importRecordBytes - 100)}"}}]}`);
    await expect(read(fits, 64 * 1024)).resolves.toHaveLength(1);
  });

  it.each(['decisions', 'counts'])('are refused if %s occur twice', async (name) => {
    const twice = Buffer.from(`{"${name}":[],"messages":[],"${name}":[]}`);
    await expect(read(twice)).rejects.toMatchObject({ path: name, message: 'is in the file twice' });
  });

  it('may have many values in total', async () => {
    const records = `{"nodes":[${'{"a":0},'.repeat(limits.importRecordValues)}{}]}`;
    expect(await read(Buffer.from(records))).toHaveLength(limits.importRecordValues + 1);
  });

  it('accept __proto__ and constructor as ordinary keys', async () => {
    const [found] = await read(Buffer.from('{"nodes":[{"__proto__":{"admin":true},"constructor":1}]}'));
    const { value } = found as { value: object };
    expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});
