import { Session } from 'node:inspector/promises';
import { buffer } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { importedRecords, MEBIBYTE } from '@waymark/contracts';
import { processorMs, sampleDecision } from '@waymark/testing';
import { makeZip } from 'client-zip';
import { fileOf } from '../../../test/file-of.ts';
import { madrOf } from '../../madr/format-madr.ts';
import { FileFault } from './file-fault.ts';
import type { ImportFile } from './import-file.ts';
import type { Found } from './json-records.ts';
import { madrRecords } from './madr-records.ts';

interface File {
  name: string;
  input: string;
}

const zipOf = (files: Iterable<File> | AsyncIterable<File>) => buffer(makeZip(files));

/** Offset of the central directory, from the last 22 bytes of an archive without a comment. */
const directoryAt = (archive: Buffer) => archive.readUInt32LE(archive.length - 22 + 16);

async function read(file: ImportFile): Promise<Found[]> {
  const found: Found[] = [];
  for await (const one of madrRecords(file)) found.push(one);
  return found;
}

const inspector = new Session();
inspector.connect();
afterAll(() => inspector.disconnect());
async function heapMebibytes(): Promise<number> {
  await inspector.post('HeapProfiler.collectGarbage');
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

function* files(count: number, make: (i: number) => File) {
  for (let i = 0; i < count; i += 1) yield make(i);
}

describe('the Markdown records of an archive', () => {
  it('accept a decision with blank texts', async () => {
    const option = { title: ' ', pros: [' '], cons: [' ', '\u00a0'] };
    const decision = sampleDecision({
      ...{ title: ' ', question: ' ', description: ' ', resolution: ' ', rationale: ' ', outcome_notes: ' ' },
      ...{ decision_type: ' ', decided_by: ' ', tags: [' '], criteria: [' ', 'x', '\n'] },
      options_considered: [' ', option, { title: 'A', pros: [' ', 'y'], cons: [' '] }],
    });
    const [found] = await read(fileOf(await zipOf([{ name: '1.md', input: madrOf(decision) }])));
    const { data, error } = importedRecords.decisions.safeParse(found!.value);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({
      title: ' ',
      criteria: ['x'],
      options_considered: [{ title: 'A', pros: ['y'], cons: [] }],
    });
  });

  it.each([
    [
      'texts',
      { count: 20, mebibytesMax: 8 },
      (i: number) => ({
        name: `${i}.md`,
        input: `# T\n\n* Status: superseded by [the next one](${i + 1}.md)\n\n## Context\n\n${'x'.repeat(900_000)}`,
      }),
    ],
    [
      'names and links',
      { count: 120, mebibytesMax: 3 },
      (i: number) => ({
        name: `${i}${'/x'.repeat(30_000)}.md`,
        input: `---\nstatus: superseded by ${i + 1}${'/x'.repeat(400)}.md\n---\n# T`,
      }),
    ],
  ])('are found without keeping the %s of all files', async (_, { count, mebibytesMax }, make) => {
    const archive = await zipOf(files(count, make));
    const before = await heapMebibytes();
    const records = madrRecords(fileOf(archive));
    // Every file is read once before the first record.
    await records.next();
    const kept = (await heapMebibytes()) - before;
    await records.return(undefined);
    expect(kept).toBeLessThan(mebibytesMax);
  });

  /** Returns an archive of one file whose directory lists that file `count` times. */
  async function listedOften(
    count: number,
    file: Omit<File, 'input'> & { input: string | Buffer<ArrayBuffer> },
    change = (_entry: Buffer): void => undefined,
  ): Promise<Buffer> {
    const archive = await buffer(makeZip([file]));
    const end = archive.subarray(-22);
    const from = directoryAt(archive);
    const entry = archive.subarray(from, from + end.readUInt32LE(12));
    change(entry);
    end.writeUInt16LE(count, 8);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(count * entry.length, 12);
    return Buffer.concat([archive.subarray(0, from), ...Array(count).fill(entry), end]);
  }

  it('are refused when files overlap', async () => {
    const archive = await listedOften(20, { name: 'a.md', input: `# T\n${'x'.repeat(10_000)}` });
    await expect(read(fileOf(archive))).rejects.toThrow('its files overlap');
  });

  it('are refused when the archive may have more files than it can state', async () => {
    const archive = await listedOften(65_535, { name: 'a.txt', input: '' });
    await expect(read(fileOf(archive))).rejects.toThrow('ZIP64');
  });

  it.each([
    ['directory', (archive: Buffer) => archive.writeUInt32LE(2 * MEBIBYTE, archive.length - 22 + 16)],
    ['file', (archive: Buffer) => archive.writeUInt32LE(3 * 1024 * MEBIBYTE, directoryAt(archive) + 42)],
  ])('are refused when the archive declares a %s beyond its end', async (_, damage) => {
    const archive = await zipOf([{ name: 'a.md', input: '# T' }]);
    damage(archive);
    const refused = await read(fileOf(archive)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FileFault);
    expect(refused).toMatchObject({ path: '', message: expect.stringContaining('is damaged') });
  });

  it('of many small packed files take little time', async () => {
    const count = 10_000;
    const archive = await listedOften(count, { name: 'a.md', input: deflateRawSync('x') }, (entry) => {
      entry.writeUInt16LE(8, 10);
      entry.writeUInt32LE(1, 24);
    });
    const spentMs = await processorMs(
      async () => expect(await read(fileOf(archive))).toHaveLength(count),
      2_500,
    );
    expect(spentMs).toBeLessThan(2_500);
  });

  it('of a file with a hostile name take time linear in its length', async () => {
    const archive = await zipOf([{ name: `${'/'.repeat(60_000)}x.md`, input: '# T' }]);
    const slow = await zipOf([{ name: `a${'/'.repeat(60_000)}x.md`, input: '# T' }]);
    const spentMs = await processorMs(async () => {
      await expect(read(fileOf(archive))).rejects.toThrow('absolute path');
      expect(await read(fileOf(slow))).toHaveLength(1);
    }, 2_000);
    expect(spentMs).toBeLessThan(2_000);
  });
});
