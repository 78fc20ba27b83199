import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type Decision, type ImportJob, MEBIBYTE } from '@waymark/contracts';
import { eventually, type StackClient, undisturbed } from '@waymark/testing';
import { withBystander } from './support/bystander.ts';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

type Workspace = Awaited<ReturnType<StackClient['workspace']>>;

async function imported({ key, workspaceId }: Workspace, rawBody: Buffer): Promise<ImportJob> {
  const headers = { 'content-type': 'application/zip' };
  const begun = await product.call('POST', '/imports', { key, query: { workspaceId }, rawBody, headers });
  expect(begun.status).toBe(202);
  let job!: ImportJob;
  await eventually(async () => {
    job = (await product.call('GET', `/imports/${begun.body.id}`, { key })).body;
    return job.finished_at !== null;
  });
  return job;
}

async function decisionsOf({ key, workspaceId }: Workspace): Promise<Decision[]> {
  const { body } = await product.call('GET', '/decisions', { key, query: { workspaceId } });
  return body.decisions;
}

/** A ZIP archive as other tools write it. `claims` replaces the true size. */
function zipOf(files: { name: string; text: string | Buffer; claims?: number }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, claims } of files) {
    const data = deflateRawSync(text);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x0800, 2);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(claims ?? Buffer.byteLength(text), 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const signed = (signature: number, ...rest: Buffer[]) => {
      const mark = Buffer.alloc(4);
      mark.writeUInt32LE(signature);
      return Buffer.concat([mark, ...rest]);
    };
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(signed(0x02014b50, Buffer.from([20, 0]), header, place, Buffer.from(name)));
    const file = signed(0x04034b50, header, Buffer.from(name), data);
    parts.push(file);
    at += file.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

describe('POST /imports of an archive', () => {
  it('imports what GET /export/madr exported', async () => {
    const source = await product.workspace();
    const { key, workspaceId } = source;
    const first = await product.call('POST', '/decisions', {
      key,
      body: { workspaceId, title: 'Use files' },
    });
    const body = {
      workspaceId,
      title: '2025: use PostgreSQL',
      question: 'Which store?',
      description: 'Files do not do.\n\n# Not a section\n\n* one\n  * two',
      status: 'accepted',
      optionsConsidered: ['SQLite', { title: 'PostgreSQL', pros: ['known'], cons: ['a server'] }],
      criteria: ['Durable'],
      resolution: 'PostgreSQL',
      rationale: 'two writers need what is called "transactions"',
      tags: ['data', 'ä: b'],
      supersedes: first.body.id,
      relatesTo: [first.body.id],
      decisionType: 'technical',
      decidedBy: 'Ada: "the" first',
      expectedBy: '2027-01-01',
      outcome: 'success',
      outcomeNotes: 'No outage\n\n## since',
    };
    expect((await product.call('POST', '/decisions', { key, body })).status).toBe(201);
    const url = `${product.url}/v1/export/madr?workspaceId=${workspaceId}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const archive = Buffer.from(await response.arrayBuffer());
    const before = await decisionsOf(source);
    const target = await product.workspace();
    expect(await imported(target, archive)).toMatchObject({ status: 'failed' });
    const again = await imported(source, archive);
    expect(again).toMatchObject({
      status: 'succeeded',
      progress: { present: { decisions: 2 }, stored: { decisions: 0 } },
    });
    expect(await decisionsOf(source)).toEqual(before);

    for (const { id } of before) {
      const gone = await product.call('DELETE', `/decisions/${id}`, { key, query: { workspaceId } });
      expect(gone.status).toBe(204);
    }
    const restored = await imported(target, archive);
    expect(restored).toMatchObject({ status: 'succeeded', progress: { stored: { decisions: 2 } } });
    const asRecorded = before.map(({ updated_at, ...decision }) => {
      const day = `${updated_at.slice(0, 10)}T00:00:00.000Z`;
      const { created_by } = restored;
      const importer = { created_by: created_by.id, imported_by: created_by };
      const author = { ...importer, created_at: day, updated_at: day };
      return { ...decision, ...author, workspace_id: target.workspaceId, version: 1 };
    });
    expect(await decisionsOf(target)).toEqual(asRecorded);
  });

  it('distinguishes files of the same name in different folders, and resolves the links of each', async () => {
    const target = await product.workspace();
    const archive = zipOf(
      ['a', 'b']
        .flatMap((folder) => [
          {
            name: `${folder}/adr/0001-record.md`,
            text: `# Record of ${folder}\n\n## Status\n\nSuperseded by 2\n`,
          },
          {
            name: `${folder}/adr/0002-change.md`,
            text: `# Change of ${folder}\n\n## Status\n\nSuperseded by [3](../../c/0003-all.md)\n`,
          },
        ])
        .concat({ name: 'c/0003-all.md', text: '# All' }),
    );
    expect(await imported(target, archive)).toMatchObject({ status: 'succeeded', issues: [] });
    const decisions = await decisionsOf(target);
    const byTitle = new Map(decisions.map((decision) => [decision.title, decision]));
    expect(byTitle.size).toBe(5);
    for (const folder of ['a', 'b']) {
      const record = byTitle.get(`Record of ${folder}`)!;
      expect(byTitle.get(`Change of ${folder}`)).toMatchObject({ supersedes: record.id });
    }
    const changes = ['a', 'b'].map((folder) => byTitle.get(`Change of ${folder}`)!.id);
    expect(changes).toContain(byTitle.get('All')!.supersedes);
  });

  it('reads the folders of other tools and their links', async () => {
    const target = await product.workspace();
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
    expect(await imported(target, archive)).toMatchObject({ status: 'succeeded', issues: [], warnings: [] });
    const decisions = await decisionsOf(target);
    const [old, current] = ['Use files', 'Use X'].map(
      (title) => decisions.find((one) => one.title === title)!,
    );
    expect(old!.status).toBe('archived');
    expect(current).toMatchObject({
      status: 'accepted',
      decided_by: 'Ada, Grace',
      created_at: '2024-05-06T00:00:00.000Z',
      resolution: 'X',
      rationale: 'it is there.',
      options_considered: [{ title: 'X', pros: ['near'], cons: [] }, 'Y'],
      supersedes: old!.id,
    });
    const again = await imported(target, archive);
    expect(again.progress).toMatchObject({ stored: { decisions: 0 }, present: { decisions: 2 } });
  });

  const bomb = Buffer.alloc(8 * MEBIBYTE, '# x\n');
  const noise = randomBytes(2 * MEBIBYTE);
  it.each([
    ['a file that is not an archive', Buffer.from('PK nothing')],
    ['a truncated archive', zipOf([{ name: 'a.md', text: '# A' }]).subarray(0, 60)],
    ['an archive without its beginning', zipOf([{ name: 'a.md', text: noise }]).subarray(noise.length)],
    ['a path outside the archive', zipOf([{ name: '../../etc/passwd.md', text: '# A' }])],
    ['an absolute path', zipOf([{ name: '/etc/passwd.md', text: '# A' }])],
    ['a ZIP bomb', zipOf([{ name: 'a.md', text: bomb }])],
    ['a ZIP bomb that declares a small size', zipOf([{ name: 'a.md', text: bomb, claims: 10 }])],
    ['bytes that are not UTF-8', zipOf([{ name: 'a.md', text: Buffer.from([0x23, 0x20, 0xff, 0xfe]) }])],
    ['a file without a title', zipOf([{ name: 'a.md', text: 'nothing' }])],
  ])('ends in a report for %s', async (_, archive) => {
    const target = await product.workspace();
    const job = await imported(target, archive);
    expect(job.status).toBe('failed');
    expect(job.issues.length).toBeGreaterThan(0);
    for (const { message } of job.issues) expect(message).not.toContain('could not be finished');
    expect(await decisionsOf(target)).toEqual([]);
  });
});

describe('hostile archives of one workspace', () => {
  const manyFiles = (text: string) =>
    zipOf(Array.from({ length: 200 }, (_, i) => ({ name: `${i}.md`, text })));
  const aliases = Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`);
  const archives: [name: string, archive: Buffer][] = [
    ['brackets as front matter', manyFiles(`---\n${']'.repeat(65_000)}\n---\n# T`)],
    ['aliases of aliases', manyFiles(`---\na0: &a0 x\n${aliases.join('\n')}\n---\n# T`)],
    ['nested lists', manyFiles(`# T\n\n${'* '.repeat(32_000)}x`)],
    ['a file that inflates', zipOf([{ name: '1.md', text: Buffer.alloc(200 * MEBIBYTE), claims: 10 }])],
  ];

  it.each(archives)('let another one export meanwhile: %s', async (_, archive) => {
    const [mine, { key, workspaceId }] = [await product.workspace(), await product.workspace()];
    const exported = () => product.call('GET', '/export', { key, query: { workspaceId } });
    const { result, harmed } = await undisturbed(
      () => withBystander(() => imported(mine, archive), exported),
      (measured) => measured.harmed.length === 0,
    );
    expect(result.finished_at).not.toBeNull();
    expect(harmed).toEqual([]);
  });
});
