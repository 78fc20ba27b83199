import { describe, expect, it } from '@jest/globals';
import { fileOf } from '../../../test/file-of.ts';
import type { Work } from '../work/work.ts';
import { type ParserLimits, parseFile } from './parse-file.ts';
import type { ParsedRecord } from './parsed-record.ts';

const AMPLE: ParserLimits = { partMs: 60_000, fileMs: 60_000, fileMsPerMebibyte: 0, heapMebibytes: 160 };
const SMALL = Buffer.from('{"schema_version":1,"decisions":[{}]}');

/** Returns work on a file, as the parser uses it. */
function workOn(bytes: Buffer, readAt = (offset: number) => fileOf(bytes).chunkAt(offset)): Work {
  const { job } = fileOf(bytes);
  const chunks = { fileBytes: async () => bytes.length, readAt: (_: string, at: number) => readAt(at) };
  const work = { job: { ...job, id: '', format: 'json' }, store: { chunks }, checkpoint: () => undefined };
  return work as unknown as Work;
}

async function parse(work: Work, limits: Partial<ParserLimits> = {}, module?: string) {
  const found: ParsedRecord[] = [];
  for await (const batch of parseFile(work, { ...AMPLE, ...limits }, module)) found.push(...batch);
  return found;
}

const ENDLESS = 'data:text/javascript,for(;;);//';
/** Waits without using the processor, as on a busy machine, and then finds the end of the file. */
const WAITING = `data:text/javascript,import { parentPort } from 'node:worker_threads';
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
parentPort.postMessage({ kind: 'end', fault: null });//`;
const HOARDING = 'data:text/javascript,const all=[];for(;;)all.push(new Array(1e5).fill({}));//';

describe('the parser of a file', () => {
  it('yields its head and its records, valid or not', async () => {
    expect(await parse(workOn(SMALL))).toEqual([
      { head: 'schema_version', value: 1 },
      { collection: 'decisions', issues: expect.arrayContaining([expect.objectContaining({})]) },
    ]);
  });

  it('yields what it found before the fault of a file', async () => {
    const found: ParsedRecord[] = [];
    const cut = workOn(SMALL.subarray(0, 25));
    await expect(async () => {
      for await (const batch of parseFile(cut, AMPLE)) found.push(...batch);
    }).rejects.toMatchObject({ path: 'schema_version', message: expect.stringContaining('cut off') });
    expect(found).toEqual([{ head: 'schema_version', value: 1 }]);
  });

  it.each([
    ['part of the file', { partMs: 100 }],
    ['file', { fileMs: 100 }],
  ])('is terminated when a %s takes too long', async (_, limits) => {
    await expect(parse(workOn(SMALL), limits, ENDLESS)).rejects.toMatchObject({
      path: '',
      message: 'takes too long to read',
    });
  });

  it('is not terminated while it waits for the processor', async () => {
    expect(await parse(workOn(SMALL), { partMs: 100, fileMs: 100 }, WAITING)).toEqual([]);
  });

  it('is terminated when it needs too much memory', async () => {
    await expect(parse(workOn(SMALL), { heapMebibytes: 32 }, HOARDING)).rejects.toMatchObject({
      message: 'needs too much memory to read',
    });
  });

  it('fails with the error of the store', async () => {
    const away = new Error('the store is away');
    await expect(parse(workOn(SMALL, () => Promise.reject(away)))).rejects.toBe(away);
  });
});
