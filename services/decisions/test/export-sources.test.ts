import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { readExportPage, snapshotExport } from '@waymark/data-transfer';
import { keyPrincipal } from '@waymark/testing';
import { exportSources } from '../src/transfer/export-sources.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();
const DECISIONS = 2_000;
/** The limit of examined documents, and of examined index keys, in all queries together. */
const EXAMINED_MAX = 50;

describe('the start of an export', () => {
  it('lists the collections with records, and examines almost nothing in a workspace without links', async () => {
    const { database } = suite.one;
    const { begin } = snapshotExport({ db: database }, exportSources);
    const key = keyPrincipal();
    await suite.create(key);
    const decisions = suite.collection('decisions');
    const { _id, ...one } = (await decisions.findOne({ workspace_id: key.workspace_id }))!;
    await decisions.insertMany(Array.from({ length: DECISIONS }, () => ({ ...one, _id: newId() })));
    await database.command({ profile: 2 });
    const { held } = await begin(key.workspace_id);
    await database.command({ profile: 0 });
    expect(held).toEqual(['decisions']);
    const looks = await database.collection('system.profile').find({ 'command.find': 'decisions' }).toArray();
    expect(looks.length).toBeGreaterThanOrEqual(2);
    const examined = looks.reduce((sum, look) => sum + look['docsExamined'] + look['keysExamined'], 0);
    expect(examined).toBeLessThan(EXAMINED_MAX);
  });

  it.each(['supersedes', 'relatesTo'])('reports links by %s', async (field) => {
    const { begin, read } = snapshotExport({ db: suite.one.database }, exportSources);
    const key = keyPrincipal();
    const first = await suite.create(key);
    const second = await suite.create(key, {
      title: 'Second',
      [field]: field === 'relatesTo' ? [first.id] : first.id,
    });
    const { as_of, held } = await begin(key.workspace_id);
    expect(held).toContain('links');
    const page = { workspace_id: key.workspace_id, collection: 'links', as_of, limit: 1 } as const;
    const { count, rows } = readExportPage(await read(page));
    expect([count, JSON.parse(`[0${rows}]`)]).toEqual([
      1,
      [
        0,
        {
          source_id: second.id,
          target_id: first.id,
          kind: field === 'supersedes' ? 'supersedes' : 'relates',
        },
      ],
    ]);
  });
});
