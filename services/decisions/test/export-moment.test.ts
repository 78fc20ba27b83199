import { expect, it } from '@jest/globals';
import { readExportPage, snapshotExport } from '@waymark/data-transfer';
import { keyPrincipal } from '@waymark/testing';
import { exportSources } from '../src/transfer/export-sources.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();

it('an export has the outcomes of its decisions and no others, although both change', async () => {
  const { begin, read } = snapshotExport({ db: suite.one.database }, exportSources);
  const key = keyPrincipal();
  const query = { workspaceId: key.workspace_id };
  const decided = { title: 'A choice', outcome: 'success' };
  const [first, second] = [await suite.create(key, decided), await suite.create(key, decided)];
  const { as_of } = await begin(key.workspace_id);
  const rowsOf = async (collection: 'decisions' | 'outcomes') => {
    const page = await read({ workspace_id: key.workspace_id, collection, as_of, limit: 10 });
    return JSON.parse(`[0${readExportPage(page).rows}]`).slice(1);
  };
  await suite.call(key, 'DELETE', `/decisions/${first.id}`, { query });
  const decisions = await rowsOf('decisions');
  await suite.patch(key, second.id, { outcome: 'failure' });
  await suite.create(key, decided);
  expect(decisions).toEqual([first, second]);
  expect(await rowsOf('outcomes')).toMatchObject([
    { decision_id: first.id, outcome: 'success' },
    { decision_id: second.id, outcome: 'success' },
  ]);
});
