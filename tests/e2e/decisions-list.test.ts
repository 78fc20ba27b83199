import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('the list of decisions', () => {
  it('explains decisions when there are none, and shows a viewer no button', async () => {
    const owner = await app.product.signUp();
    const viewer = await app.product.signUp('Viola Viewer');
    await app.product.addMember(owner, viewer, 'viewer');
    const page = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: owner.cookie });
    await page.getByText('No decisions yet').waitFor();
    await page.getByRole('link', { name: 'New decision' }).waitFor();
    await checkAccessible(page);
    const theirs = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: viewer.cookie });
    await theirs.getByText('No decisions yet').waitFor();
    expect(await theirs.getByRole('link', { name: 'New decision' }).count()).toBe(0);
  });

  it('filters and sorts through the URL, which survives a reload', async () => {
    const owner = await app.product.workspace();
    const log = (fields: Record<string, unknown>) =>
      app.product.call('POST', '/decisions', {
        key: owner.key,
        body: { workspaceId: owner.workspaceId, ...fields },
      });
    await log({ title: 'Beacon on the pier', status: 'accepted', tags: ['2026'], decisionType: 'site' });
    await log({ title: 'Anchor off the cape', expectedBy: '2020-01-31', tags: ['sea'] });
    await log({ title: 'Chart of the bay', status: 'rejected', outcome: 'failure' });

    const page = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: owner.cookie });
    const titles = async () => page.locator('tbody a[href*="/decisions/"]').allTextContents();
    await page.getByRole('link', { name: 'Beacon on the pier' }).waitFor();
    expect(await titles()).toEqual(['Chart of the bay', 'Anchor off the cape', 'Beacon on the pier']);
    await checkAccessible(page);

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
    await page.getByLabel('Overdue').check();
    await only('Anchor off the cape');
    await page.getByLabel('Status').selectOption('rejected');
    await only('Chart of the bay');
    await page.getByLabel('Outcome').selectOption('failure');
    await only('Chart of the bay');
    const pick = async (label: string, part: string, option: string) => {
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
    await page.getByRole('searchbox', { name: 'Title contains' }).fill('nowhere');
    await page.getByText('No decisions match the filters').waitFor();
    await page.getByText('0 decisions').waitFor();
  });

  it('names the filters that are set, each with a button that removes it', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const long = 'Waymark'.repeat(40);
    for (const title of [long, 'Other']) {
      const body = { workspaceId, title, tags: ['site'], expectedBy: '2020-01-31' };
      await app.product.call('POST', '/decisions', { key, body });
    }
    const page = await app.visit('/waymark.svg', { cookie });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const query = new URLSearchParams({ text: long, status: 'proposed', tag: 'site', overdue: 'true' });
    await page.goto(`/w/${workspaceId}/decisions?${query}`);
    const chips = page.getByRole('list', { name: 'Filters that are set' });
    await chips.waitFor();
    await page.getByText('1 decision', { exact: true }).waitFor();
    expect(await chips.getByRole('listitem').allTextContents()).toEqual([
      `Title contains: ${long}`,
      'Status: proposed',
      'Tag: site',
      'Overdue',
    ]);
    // The chips need no answer of their own. Events of the records above may repeat the two.
    expect(new Set(asked.filter((path) => path.startsWith('/v1/')))).toEqual(
      new Set(['/v1/auth/me', '/v1/events', '/v1/decisions', '/v1/decisions/facets']),
    );
    await checkAccessible(page);

    const remove = (filter: string) => page.getByRole('button', { name: `Remove the filter ${filter}` });
    await remove(`Title contains: ${long}`).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 decisions', { exact: true }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Title contains' }).inputValue()).toBe('');
    await remove('Status: proposed').and(page.locator(':focus')).waitFor();
    await remove('Overdue').focus();
    await page.keyboard.press('Enter');
    await remove('Tag: site').and(page.locator(':focus')).waitFor();
    await page.waitForURL((url) => ['status', 'tag'].join() === [...url.searchParams.keys()].sort().join());
    await page.getByRole('button', { name: 'Clear all' }).press('Enter');
    await page.waitForURL('**/decisions');
    await chips.waitFor({ state: 'detached' });
    await page.getByText('2 decisions', { exact: true }).and(page.locator(':focus')).waitFor();
  });

  it('changes many at once: status, tags, export, and deletion that can be undone', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, key, cookie } = owner;
    for (const title of ['First', 'Second', 'Third']) {
      await app.product.call('POST', '/decisions', { key, body: { workspaceId, title, tags: ['old'] } });
    }
    const stored = async () => {
      const { body } = await app.product.call('GET', `/decisions?workspaceId=${workspaceId}`, { key });
      return body.decisions as { title: string; status: string; tags: string[] }[];
    };
    const page = await app.visit(`/w/${workspaceId}/decisions`, { cookie });
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

    await bar.getByRole('button', { name: 'Tag' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tag 2 decisions' });
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('new');
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'Add the tag' }).click();
    await page.getByRole('link', { name: '#new' }).nth(1).waitFor();
    expect((await stored())[0]!.tags).toEqual(['old', 'new']);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const rows = await readFile(await download.path(), 'utf8');
    expect([rows.includes('Second'), rows.includes('First')]).toEqual([true, false]);

    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Third' }).waitFor({ state: 'detached' });
    await page.getByText('2 decisions are deleted.').waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Third' }).waitFor();
    expect(await stored()).toHaveLength(3);

    await page.getByRole('checkbox', { name: 'Select Third' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('One decision is deleted.').waitFor();
    await page.getByRole('link', { name: 'Workflows' }).click();
    await eventually(async () =>
      expect((await stored()).map(({ title }) => title)).toEqual(['Second', 'First']),
    );
  });

  it('keeps the chosen columns and named views', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, key, cookie } = owner;
    for (const title of ['Kept', 'Other']) {
      await app.product.call('POST', '/decisions', { key, body: { workspaceId, title } });
    }
    const page = await app.visit(`/w/${workspaceId}/decisions`, { cookie });
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
    await page.getByRole('searchbox', { name: 'Title contains' }).and(page.locator(':focus')).waitFor();
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
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Remove the view Only the kept' }).click();
    await page.getByRole('link', { name: 'Only the kept' }).waitFor({ state: 'detached' });
  });

  it('loads one page at a time', async () => {
    const owner = await app.product.workspace();
    for (let at = 1; at <= 51; at += 1) {
      const body = { workspaceId: owner.workspaceId, title: `Decision ${at}` };
      await app.product.call('POST', '/decisions', { key: owner.key, body });
    }
    const page = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: owner.cookie });
    await page.getByRole('link', { name: 'Decision 51' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(25);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Decision 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  });
});
