import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Decision, MEBIBYTE } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import { FileFault } from '../src/import/reading/file-fault.ts';
import type { ImportFile } from '../src/import/reading/import-file.ts';
import { jsonRecords } from '../src/import/reading/json-records.ts';
import { madrRecords } from '../src/import/reading/madr-records.ts';
import { parsedRecord } from '../src/import/reading/parsed-record.ts';
import { fileOf } from './file-of.ts';
import { zipOf } from './zip-of.ts';

/** Reads a file as the parser does. Returns its valid records and the paths of all faults. */
async function read(file: ImportFile, format: 'json' | 'zip') {
  const decisions: Decision[] = [];
  const faults: string[] = [];
  try {
    for await (const found of format === 'json' ? jsonRecords(file) : madrRecords(file)) {
      const record = parsedRecord(found);
      if ('row' in record) decisions.push(JSON.parse(record.row.record));
      if ('issues' in record) faults.push(...record.issues.map(({ path }) => path));
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    faults.push(error.path);
  }
  return { decisions, faults };
}

describe('an export with a fault', () => {
  const text = JSON.stringify({ decisions: [sampleDecision({ title: 'First' }), sampleDecision()] });
  const changed = (change: object) => JSON.stringify({ decisions: [{ ...sampleDecision(), ...change }] });
  const broken = Buffer.from(text);
  broken[broken.indexOf('First')] = 0xff;

  it.each<[string, string, string | Buffer]>([
    ['an unknown field', 'surprise', '{"surprise":1}'],
    ['data after its end', 'decisions.2', `${text}{}`],
    ['bytes that are not UTF-8', 'decisions.0', broken],
    ['a wrong type', 'decisions.0.title', changed({ title: 7 })],
    ['an unknown field of a record', 'decisions.0', changed({ extra: 7 })],
    ['NUL', 'decisions.0.title', changed({ title: 'a\0b' })],
    ['__proto__', 'decisions.0', text.replace('"title":', '"__proto__":{},"title":')],
  ])('is refused for %s at %j', async (_, path, file) => {
    expect((await read(fileOf(Buffer.from(file)), 'json')).faults).toEqual([path]);
  });
});

describe('an archive with a fault', () => {
  const bomb = Buffer.alloc(8 * MEBIBYTE, '# x\n');
  const noise = randomBytes(2 * MEBIBYTE);

  it.each([
    ['is no archive', Buffer.from('PK nothing')],
    ['is truncated', zipOf([{ name: 'a.md', text: '# A' }]).subarray(0, 60)],
    ['lacks its beginning', zipOf([{ name: 'a.md', text: noise }]).subarray(noise.length)],
    ['has a path outside of it', zipOf([{ name: '../../etc/passwd.md', text: '# A' }])],
    ['has an absolute path', zipOf([{ name: '/etc/passwd.md', text: '# A' }])],
    ['is a ZIP bomb', zipOf([{ name: 'a.md', text: bomb }])],
    ['is a ZIP bomb that declares a small size', zipOf([{ name: 'a.md', text: bomb, claims: 10 }])],
    ['has bytes that are not UTF-8', zipOf([{ name: 'a.md', text: Buffer.from([0x23, 0x20, 0xff, 0xfe]) }])],
    ['has a file without a title', zipOf([{ name: 'a.md', text: 'nothing' }])],
  ])('is refused because it %s', async (_, archive) => {
    const { decisions, faults } = await read(fileOf(archive), 'zip');
    expect([decisions, faults.length]).toEqual([[], 1]);
  });
});

describe('an archive of another tool', () => {
  it('may have files of the same name in different folders, and the links of each are resolved', async () => {
    const folders = ['a', 'b'].flatMap((folder) => [
      {
        name: `${folder}/adr/0001-record.md`,
        text: `# Record of ${folder}\n\n## Status\n\nSuperseded by 2\n`,
      },
      {
        name: `${folder}/adr/0002-change.md`,
        text: `# Change of ${folder}\n\n## Status\n\nSuperseded by [3](../../c/0003-all.md)\n`,
      },
    ]);
    const archive = zipOf([...folders, { name: 'c/0003-all.md', text: '# All' }]);
    const { decisions, faults } = await read(fileOf(archive), 'zip');
    expect(faults).toEqual([]);
    const byTitle = new Map(decisions.map((decision) => [decision.title, decision]));
    expect(byTitle.size).toBe(5);
    for (const folder of ['a', 'b']) {
      const record = byTitle.get(`Record of ${folder}`)!;
      expect(byTitle.get(`Change of ${folder}`)).toMatchObject({ supersedes: record.id });
    }
    const changes = ['a', 'b'].map((folder) => byTitle.get(`Change of ${folder}`)!.id);
    expect(changes).toContain(byTitle.get('All')!.supersedes);
  });

  it('has decisions with links, facts and options, which get the same ids each time', async () => {
    const archive = zipOf([
      {
        name: 'doc/adr/0001-use-files.md',
        text: '# 1. Use files\n\n## Status\n\nSuperseded by [2](0002-use-x.md)\n',
      },
      {
        name: 'doc/adr/0002-use-x.md',
        text: '---\nstatus: accepted\ndate: 2024-05-06\ndecision-makers: [Ada, Grace]\n---\n\n# Use X\n\n## Considered Options\n\n* X\n* Y\n\n## Decision Outcome\n\nChosen option: "X", because it is there.\n\n## Pros and Cons of the Options\n\n### X\n\n* Good, because near\n',
      },
      { name: 'doc/adr/README.md', text: '# Our decisions' },
      { name: 'doc/logo.png', text: Buffer.from([0xff, 0xfe]) },
    ]);
    const file = fileOf(archive);
    const { decisions, faults } = await read(file, 'zip');
    expect(faults).toEqual([]);
    const [old, current] = decisions;
    expect(decisions).toEqual([
      expect.objectContaining({ title: 'Use files', status: 'archived' }),
      expect.objectContaining({
        title: 'Use X',
        status: 'accepted',
        decided_by: 'Ada, Grace',
        created_at: '2024-05-06T00:00:00.000Z',
        resolution: 'X',
        rationale: 'it is there.',
        options_considered: [{ title: 'X', pros: ['near'], cons: [] }, 'Y'],
        supersedes: old!.id,
      }),
    ]);
    const again = await read(file, 'zip');
    expect(again.decisions.map(({ id }) => id)).toEqual([old!.id, current!.id]);
  });
});
