import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible, downloaded, runClockUntil, useConsole } from './support/index.ts';

const app = useConsole();

it('a workspace is exported in three formats, and files are imported after a check', async () => {
  const owner = await app.signUp();
  const decision = await owner.decide('Dredge the channel', { rationale: 'It silts up.' });
  const page = await owner.open('decisions', { ownClock: true });
  await page.getByRole('link', { name: 'Export and import' }).click();
  const csv = await downloaded(page, 'Export CSV');
  expect([csv.name, csv.content.toString()]).toEqual([
    `decisions-${owner.workspaceId}.csv`,
    expect.stringContaining('Dredge the channel'),
  ]);
  await page.getByText(`${csv.name} is saved`).waitFor();
  const madr = await downloaded(page, 'Export MADR');
  expect([madr.name, madr.content.subarray(0, 2).toString()]).toEqual([
    `decisions-${owner.workspaceId}.zip`,
    'PK',
  ]);
  const json = await downloaded(page, 'Export JSON');
  expect(JSON.parse(json.content.toString()).decisions[0].id).toBe(decision);

  const other = await app.signUp();
  const there = await other.open('transfer', { ownClock: true });
  const file = { name: 'export.json', mimeType: 'application/json', buffer: json.content };
  await there.locator('input[type=file]').setInputFiles(file);
  await there.getByRole('button', { name: 'Check file' }).click();
  await runClockUntil(there.getByText('The file cannot be imported'));
  await checkAccessible(there);
  await there.getByLabel(/Assign new ids/).check();
  await there.getByRole('button', { name: 'Check file' }).click();
  await runClockUntil(there.getByText('The file can be imported'));
  await checkAccessible(there);
  const decisionsThere = async () => (await other.call('GET', '/decisions')).decisions;
  expect(await decisionsThere()).toEqual([]);
  // One decision is stored very quickly, so the page gets a longer import until the progress was seen.
  let isSeen = false;
  await there.route('**/v1/imports/*', async (route) => {
    if (isSeen) return route.continue();
    const answer = await route.fetch();
    const job = await answer.json();
    const progress = { ...job.progress, done: { decisions: 300 }, total: { decisions: 1_200 } };
    const halfway = { ...job, status: 'running', phase: 'writing', progress };
    await route.fulfill({ response: answer, json: halfway });
  });
  await there.getByRole('button', { name: 'Import now' }).click();
  const bar = there.getByRole('progressbar', { name: 'Storing: 300 of 1,200 records' });
  await runClockUntil(bar);
  expect(await bar.getAttribute('aria-valuenow')).toBe('25');
  isSeen = true;
  await there.unrouteAll({ behavior: 'wait' });
  await runClockUntil(there.getByText('The file is imported'));
  expect(await decisionsThere()).toMatchObject([{ title: 'Dredge the channel' }]);

  // Markdown decisions from an archive, and files that are not an export.
  const check = async (name: string, mimeType: string, content: Buffer | string) => {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    await page.getByRole('button', { name: 'Check file' }).click();
  };
  await check('records.zip', 'application/zip', madr.content);
  await runClockUntil(page.getByText('The file can be imported'));
  const table = page.getByRole('table', { name: 'Records of the file' });
  expect(
    await table
      .getByRole('row', { name: /^decisions/ })
      .getByRole('cell')
      .nth(1)
      .textContent(),
  ).toBe('1');
  await check('nothing.json', 'application/json', '{"a": 1}');
  await runClockUntil(page.getByText('The file cannot be imported'));
  await page.getByText('Errors').waitFor();
  await check('sheet.json', 'text/csv', 'title\nLight the pier\n');
  const errors = page.getByRole('list', { name: 'Errors' });
  await runClockUntil(errors.getByText(/^The file is not an exported workspace/));
});

it('a table of decisions is imported by its columns, and a report names its rows', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const viewer = await owner.addMember('viewer', 'Viola Viewer');
  const page = await owner.open('transfer', { ownClock: true });
  const choose = (content: string | Buffer) =>
    page.locator('input[type=file]').setInputFiles({
      ...{ name: 'Decisions.CSV', mimeType: 'text/csv', buffer: Buffer.from(content) },
    });
  const fieldOf = (heading: string) => page.getByRole('combobox', { name: `, ${heading}, becomes` });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const cells = (title: string) =>
    page
      .getByRole('table', { name: title })
      .getByRole('row', { name: /^decisions/ })
      .getByRole('cell');

  await choose('Title\n');
  await page.getByText('no row below the first one').waitFor();
  expect(await page.getByRole('button', { name: 'Check file' }).isDisabled()).toBe(true);
  await choose(Buffer.from('Title\nMole in M\xe4rz', 'latin1'));
  await page.getByText('The file is not in UTF-8').waitFor();

  const rows = (status: string) =>
    '\ufeffWhat;Status;Tags;External ID;Cost\r\n' +
    `"Light the\npier";${status};sea, site;P-1;5\r\n\r\nSell the boat;rejected;;P-2;7\r\n`;
  await choose(rows('angenommen'));
  await page.getByText('Choose the column that has the title').waitFor();
  expect(await fieldOf('Status').inputValue()).toBe('status');
  expect(await fieldOf('Cost').inputValue()).toBe('');
  await fieldOf('What').selectOption('Title');
  await press('Check file');
  await runClockUntil(page.getByText('The file cannot be imported'));
  await page.getByText('Row 2, Status: can be proposed, accepted, rejected, or archived').waitFor();
  expect(await page.getByText(/^Row 4/).count()).toBe(0);
  await checkAccessible(page);
  // The corrected file keeps what was chosen for its columns.
  await choose(rows('accepted'));
  await page.getByText('Row 2, Status:').waitFor({ state: 'detached' });
  expect(await fieldOf('What').inputValue()).toBe('title');
  await fieldOf('Status').selectOption('Leave out');
  await press('Check file');
  await runClockUntil(page.getByText('The file can be imported'));
  expect(await cells('Records of the file').allTextContents()).toEqual(['decisions', '2', '0']);
  expect((await owner.call('GET', '/decisions')).decisions).toEqual([]);
  await press('Import now');
  await runClockUntil(page.getByText('The file is imported'));
  const { decisions } = await owner.call('GET', '/decisions', undefined, { query: { sort: 'title' } });
  expect(decisions).toMatchObject([
    { title: 'Light the\npier', status: 'proposed', tags: ['sea', 'site'], external_id: 'P-1' },
    { title: 'Sell the boat', status: 'proposed', created_by: owner.userId, external_id: 'P-2' },
  ]);

  await page.getByRole('link', { name: 'All decisions' }).waitFor();
  await checkAccessible(page);

  // The next file has the same rows, and a new one.
  await choose('external_id,title\nP-2,Sell both boats\nP-3,Dredge the channel\n');
  await fieldOf('title').waitFor();
  await press('Check file');
  await runClockUntil(page.getByText('The file can be imported'));
  expect(await cells('Records of the file').allTextContents()).toEqual(['decisions', '2', '1']);

  // A check is over while one looks at it: the inbox tells of the import only.
  await eventually(async () => expect((await owner.call('GET', '/notifications')).data).toHaveLength(1));

  const seen = await viewer.open('decisions?board=true');
  await seen.getByRole('listitem').filter({ hasText: 'Sell the boat' }).getByText('Ada Lovelace').waitFor();
});
