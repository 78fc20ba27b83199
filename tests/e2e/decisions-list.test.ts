import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import {
  checkAccessible,
  downloaded,
  focused,
  focusedInDialog,
  pressUntil,
  useConsole,
} from './support/index.ts';

const app = useConsole();

it('the list of decisions filters and sorts through the URL, which survives a reload', async () => {
  const owner = await app.signUp();
  const key = await owner.createKey();
  await key.decide('Beacon on the pier', { status: 'accepted', tags: ['2026'], decisionType: 'site' });
  await key.decide('Anchor off the cape', { expectedBy: '2020-01-31', tags: ['sea'] });
  await key.decide('Chart of the bay', { status: 'rejected', outcome: 'failure' });

  const page = await owner.open('decisions');
  const titles = async () => page.locator('tbody a[href*="/decisions/"]').allTextContents();
  await page.getByRole('link', { name: 'Beacon on the pier' }).waitFor();
  expect(await titles()).toEqual(['Chart of the bay', 'Anchor off the cape', 'Beacon on the pier']);

  await page.getByRole('button', { name: 'Decision', exact: true }).click();
  await page
    .getByRole('columnheader', { name: 'Decision' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor();
  await page.getByRole('row').nth(1).getByRole('link', { name: 'Anchor off the cape' }).waitFor();
  await page.reload();
  await page.getByRole('row').nth(1).getByRole('link', { name: 'Anchor off the cape' }).waitFor();
  expect(await titles()).toEqual(['Anchor off the cape', 'Beacon on the pier', 'Chart of the bay']);

  const only = async (title: string) => {
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: title }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: title }).waitFor();
    expect(await titles()).toEqual([title]);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('row').nth(3).waitFor();
  };
  await page.getByRole('cell', { name: 'Jan 31, 2020 overdue' }).waitFor();
  const add = () => page.getByRole('button', { name: 'Add filter' }).click();
  const choose = (group: string, value: string) =>
    page.getByRole('group', { name: group }).getByText(value, { exact: true }).click();
  await add();
  await page.getByLabel('Overdue').check();
  await only('Anchor off the cape');
  await add();
  await choose('Status', 'Rejected');
  await only('Chart of the bay');
  await add();
  await choose('Outcome', 'Failure');
  await only('Chart of the bay');
  const pick = async (label: string, part: string, option: string) => {
    await add();
    await page.getByRole('combobox', { name: label }).fill(part);
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await pick('Tag', '20', '2026 (1)');
  await only('Beacon on the pier');
  await pick('Type', 'it', 'site (1)');
  await only('Beacon on the pier');
  await page.getByRole('link', { name: '#sea' }).click();
  await only('Anchor off the cape');
  await page.getByRole('searchbox', { name: 'Title contains' }).fill('THE B');
  await only('Chart of the bay');
  await pick('Author', 'key', 'test key (3)');
  await page.getByRole('row').nth(3).waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  // Several statuses, several tags, and days.
  await add();
  for (const status of ['Accepted', 'Rejected']) await choose('Status', status);
  await page.getByText('2 decisions', { exact: true }).waitFor();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await add();
  for (const [part, option] of [
    ['20', '2026 (1)'],
    ['se', 'sea (1)'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Tag' }).fill(part);
    await page.getByRole('option', { name: option }).click();
  }
  await page.getByText('2 decisions', { exact: true }).waitFor();
  await page.getByLabel('Expected before').fill('2020-02-01');
  await only('Anchor off the cape');
  await page.getByRole('searchbox', { name: 'Title contains' }).fill('nowhere');
  await page.getByText('No decisions match the filters').waitFor();
  await page.getByText('0 decisions').waitFor();
});

it('the list of decisions names the filters that are set, each with a button that removes it', async () => {
  const owner = await app.signUp();
  const long = 'Waymark'.repeat(40);
  for (const title of [long, 'Other'])
    await owner.decide(title, { tags: ['site'], expectedBy: '2020-01-31' });
  const page = await app.visit('/waymark.svg', owner);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const query = new URLSearchParams({ text: long, status: 'proposed', tag: 'site', overdue: 'true' });
  await page.goto(`/w/${owner.workspaceId}/decisions?${query}`);
  const chips = page.getByRole('list', { name: 'Filters that are set' });
  await chips.waitFor();
  await page.getByText('1 decision', { exact: true }).waitFor();
  expect(await chips.getByRole('listitem').allTextContents()).toEqual([
    `Title contains: ${long}`,
    'Status: proposed',
    'Tag: site',
    'Overdue',
  ]);
  // The chips need no answer of their own. Events of the records above may repeat the two. The settings of
  // mails are read when the page has been drawn.
  await eventually(() =>
    expect(new Set(asked.filter((path) => path.startsWith('/v1/')))).toEqual(
      new Set([
        ...['/v1/auth/me', '/v1/events', '/v1/notifications', '/v1/notifications/mail-settings'],
        ...['/v1/decisions', '/v1/decisions/facets', '/v1/views'],
      ]),
    ),
  );
  await checkAccessible(page);

  const remove = (filter: string) => page.getByRole('button', { name: `Remove the filter ${filter}` });
  await remove(`Title contains: ${long}`).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 decisions', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Title contains' }).inputValue()).toBe('');
  await focused(remove('Status: proposed'));
  await remove('Overdue').focus();
  await page.keyboard.press('Enter');
  await focused(remove('Tag: site'));
  await page.waitForURL((url) => ['status', 'tag'].join() === [...url.searchParams.keys()].sort().join());
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await page.waitForURL('**/decisions');
  await chips.waitFor({ state: 'detached' });
  await focused(page.getByText('2 decisions', { exact: true }));
});

it('the list of decisions changes many at once: status, tags, export, and deletion that can be undone', async () => {
  const owner = await app.signUp();
  for (const title of ['First', 'Second', 'Third']) await owner.decide(title, { tags: ['old'] });
  const stored = async (): Promise<{ title: string; status: string; tags: string[] }[]> =>
    (await owner.call('GET', '/decisions')).decisions;
  const page = await owner.open('decisions');
  await page.getByText('3 decisions').waitFor();
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page.getByRole('checkbox', { name: 'Select First' }).uncheck();
  const bar = page.getByRole('region', { name: 'Selected decisions' });
  await bar.getByText('2 selected').waitFor();
  await checkAccessible(page);
  await bar.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'accepted' }).click();
  await page.getByText('2 decisions are changed.').waitFor();
  expect((await stored()).map(({ status }) => status)).toEqual(['accepted', 'accepted', 'proposed']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 decisions are as before.').waitFor();
  expect((await stored()).map(({ status }) => status)).toEqual(['proposed', 'proposed', 'proposed']);

  await bar.getByRole('button', { name: 'Tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 2 decisions' });
  await dialog.getByRole('combobox', { name: 'Tag' }).fill('new');
  await checkAccessible(page);
  await dialog.getByRole('combobox', { name: 'Tag' }).press('Enter');
  await page.locator('a', { hasText: '#new' }).nth(1).waitFor({ state: 'attached' });
  expect((await stored())[0]!.tags).toEqual(['old', 'new']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: '#new' }).first().waitFor({ state: 'detached' });

  const rows = (await downloaded(page, 'Export CSV')).content.toString();
  expect([rows.includes('Second'), rows.includes('First')]).toEqual([true, false]);

  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Third' }).waitFor({ state: 'detached' });
  await page.getByText('2 decisions are deleted.').waitFor();
  await checkAccessible(page);
  expect(await stored()).toHaveLength(1);
  const batches: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') batches.push(`${new URL(request.url()).pathname} ${request.postData()}`);
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Third' }).waitFor();
  expect(await stored()).toHaveLength(3);
  expect(batches.filter((one) => one.startsWith('/v1/batch'))).toEqual([
    expect.stringMatching(/restoreDecision.*restoreDecision/),
  ]);

  await page.getByRole('checkbox', { name: 'Select Third' }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('One decision is deleted.').waitFor();
  await page.getByRole('link', { name: 'Workflows' }).click();
  await eventually(async () =>
    expect((await stored()).map(({ title }) => title)).toEqual(['Second', 'First']),
  );
});

it('a bulk change asks first if decisions have an outcome, and says which it leaves out', async () => {
  const owner = await app.signUp();
  for (const title of ['Open', 'Over']) await owner.decide(title);
  const [over] = (await owner.call('GET', '/decisions')).decisions;
  await owner.call('PATCH', `/decisions/${over.id}`, { status: 'accepted', outcome: 'success' });
  const page = await owner.open('decisions');
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'rejected' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a decision to rejected' });
  await dialog.getByRole('checkbox', { name: 'Leave out the one that has an outcome' }).waitFor();
  expect(await focusedInDialog(page)).toBe('Leave out the one that has an outcome');
  await checkAccessible(page);
  await dialog.getByRole('button', { name: 'Set status' }).click();
  await page.getByText('One decision is changed.').waitFor();
  const { decisions } = await owner.call('GET', '/decisions');
  expect(decisions.map(({ status }: { status: string }) => status)).toEqual(['accepted', 'rejected']);
});

it('the list of decisions keeps the chosen columns and named views in the account', async () => {
  const owner = await app.signUp();
  const key = await owner.createKey();
  for (const title of ['Kept', 'Other']) await key.decide(title);
  const page = await owner.open('decisions');
  await page.getByRole('cell', { name: 'test key' }).first().waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Outcome' }).uncheck();
  await page.getByRole('columnheader', { name: 'Outcome' }).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Changed' }).check();
  await checkAccessible(page);
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('columnheader', { name: 'Changed' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Outcome' }).count()).toBe(0);

  // The field keeps its focus while the list follows what is typed.
  await page.getByRole('searchbox', { name: 'Title contains' }).click();
  for (const letter of 'kep') {
    const isRead = page.waitForResponse((response) => response.url().includes('/v1/decisions?'));
    await page.keyboard.press(letter);
    await isRead;
  }
  await focused(page.getByRole('searchbox', { name: 'Title contains' }));
  await page.getByText('1 decision', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this view as').fill('Only the kept');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Only the kept' }).waitFor();
  await checkAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByText('2 decisions', { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'Only the kept' }).click();
  await page.getByText('1 decision', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Title contains' }).inputValue()).toBe('kep');

  // Another browser, and other people once it is shared, have it too.
  const elsewhere = await owner.open('decisions', { isNewProfile: true });
  await elsewhere.getByRole('columnheader', { name: 'Changed' }).waitFor();
  const act = async (name: string) => {
    await elsewhere.getByRole('button', { name: 'Actions for the view Only the kept' }).click();
    await elsewhere.getByRole('menuitem', { name }).click();
  };
  await elsewhere.getByRole('button', { name: 'Views' }).click();
  await elsewhere.getByRole('button', { name: 'Favourite: Only the kept', pressed: false }).click();
  await elsewhere.getByRole('button', { name: 'Favourite: Only the kept', pressed: true }).waitFor();
  await act('Open the list with it');
  await act('Share with the workspace');
  await elsewhere.getByRole('img', { name: 'shared' }).first().waitFor();
  await checkAccessible(elsewhere);
  const viewer = await owner.addMember('viewer', 'Viola Viewer');
  const theirs = await viewer.open('decisions');
  await theirs.getByText('2 decisions', { exact: true }).waitFor();
  await theirs.getByRole('button', { name: 'Views' }).click();
  await theirs.getByRole('link', { name: 'Only the kept' }).click();
  await theirs.getByText('1 decision', { exact: true }).waitFor();
  await theirs.getByRole('columnheader', { name: 'Changed' }).waitFor();

  // The default view opens with the list; the favourite is beside it.
  await elsewhere.goto(`/w/${owner.workspaceId}/decisions`);
  await elsewhere.waitForURL('**/decisions?text=kep');
  await elsewhere.getByText('1 decision', { exact: true }).waitFor();
  await elsewhere.getByRole('link', { name: 'Only the kept' }).waitFor();
  await elsewhere.getByRole('button', { name: 'Views' }).click();
  await act('Remove the view');
  await elsewhere.getByRole('link', { name: 'Only the kept' }).first().waitFor({ state: 'detached' });
});

it('the list of decisions explains decisions when there are none, loads one page at a time, and changes all that match, also those that are not loaded', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions');
  await page.getByText('No decisions yet').waitFor();
  await page.getByRole('link', { name: 'New decision' }).waitFor();
  const operations = Array.from({ length: 51 }, (_, i) => ({
    operation: 'createDecision',
    body: { title: `Decision ${i}` },
  }));
  await owner.call('POST', '/batch', { operations }, { headers: { 'Batch-Size': '51' } });
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  expect(await page.locator('tbody tr').count()).toBe(25);
  const bar = page.getByRole('region', { name: 'Selected decisions' });
  await bar.getByText('25 selected').waitFor();
  await bar.getByRole('button', { name: 'Select all 51 that match' }).click();
  await bar.getByText('51 selected').waitFor();
  await bar.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'accepted' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set 51 decisions to accepted' });
  await dialog.getByRole('button', { name: 'Set status' }).click();
  await page.getByText('51 decisions are changed.').waitFor();
  const accepted = await owner.call('GET', '/decisions/facets', undefined, { query: { status: 'accepted' } });
  expect(accepted.total).toBe(51);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('link', { name: 'Decision 0', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
});

it('the list of decisions is used by keyboard: j, k, x and Enter', async () => {
  const owner = await app.signUp();
  for (const title of ['Second', 'First']) await owner.decide(title);
  const page = await owner.open('decisions');
  await page.getByRole('link', { name: 'First' }).waitFor();
  await pressUntil('j', page.locator('tbody tr:first-child a:focus'));
  await page.keyboard.press('j');
  await focused(page.getByRole('link', { name: 'Second' }));
  await page.keyboard.press('x');
  await page.getByRole('region', { name: 'Selected decisions' }).getByText('1 selected').waitFor();
  await page.keyboard.press('k');
  await focused(page.getByRole('link', { name: 'First' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor();
});
