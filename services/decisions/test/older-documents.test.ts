import { describe, expect, it } from '@jest/globals';
import { decisionDefaults } from '@waymark/contracts';
import { readExportPage, snapshotExport } from '@waymark/data-transfer';
import { keyPrincipal } from '@waymark/testing';
import { exportSources } from '../src/transfer/export-sources.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();

/** A decision stored before any field with a default existed. */
async function olderDecision() {
  const key = keyPrincipal();
  const decision = await suite.create(key, { title: 'From an older version' });
  const absent = Object.fromEntries(Object.keys(decisionDefaults).map((field) => [field, '' as const]));
  const decisions = suite.collection('decisions');
  await decisions.updateOne({ _id: decision.id }, { $unset: absent });
  expect(await decisions.findOne({ _id: decision.id })).not.toHaveProperty('tags');
  return { key, decision: { ...decision, created_by_person: null } };
}

describe('a decision stored before a field existed', () => {
  it('is read, listed and exported with the defaults of the fields that it lacks', async () => {
    const { key, decision } = await olderDecision();
    expect((await suite.get(key, `/decisions/${decision.id}`)).body).toEqual(decision);
    expect((await suite.get(key, '/decisions')).body.decisions).toEqual([decision]);
    const csv = (await suite.get(key, '/decisions/export-csv')).text;
    expect(csv).toContain('From an older version,,,proposed,');
    const { begin, read } = snapshotExport({ db: suite.one.database }, exportSources);
    const { as_of } = await begin(key.workspace_id);
    const page = { workspace_id: key.workspace_id, collection: 'decisions', as_of, limit: 10 } as const;
    const { rows } = readExportPage(await read(page));
    expect(JSON.parse(`[0${rows}]`)).toEqual([0, decision]);
  });

  it('can be changed, scored and deleted like any other', async () => {
    const { key, decision } = await olderDecision();
    const changed = await suite.patch(key, decision.id, { tags: ['storage'] });
    expect(changed.body).toMatchObject({ tags: ['storage'], criteria: [], version: 2 });
    expect((await suite.get(key, `/decisions/${decision.id}/history`)).body.data[0].changes).toEqual({
      tags: { before: [], after: ['storage'] },
    });
    expect((await suite.get(key, `/decisions/${decision.id}/quality`)).status).toBe(200);
    expect((await suite.remove(key, decision.id)).status).toBe(204);
  });
});
