import { describe, expect, it } from '@jest/globals';
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
    const titles = async () => page.locator('tbody tr td:first-child a').allTextContents();
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
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByRole('row').nth(3).waitFor();
    };
    await page.getByRole('cell', { name: 'Jan 31, 2020 overdue' }).waitFor();
    await page.getByLabel('Overdue').check();
    await only('Anchor off the cape');
    await page.getByLabel('Status').selectOption('rejected');
    await only('Chart of the bay');
    await page.getByLabel('Outcome').selectOption('failure');
    await only('Chart of the bay');
    await page.getByLabel('Tag').fill('2026');
    await page.getByLabel('Tag').press('Enter');
    await only('Beacon on the pier');
    await page.getByLabel('Type').fill('site');
    await page.getByLabel('Type').press('Enter');
    await only('Beacon on the pier');
    await page.getByLabel('Tag').fill('nowhere');
    await page.getByLabel('Tag').press('Enter');
    await page.getByText('No decisions match the filters').waitFor();
  });

  it('loads one page at a time', async () => {
    const owner = await app.product.workspace();
    for (let at = 1; at <= 51; at += 1) {
      const body = { workspaceId: owner.workspaceId, title: `Decision ${at}` };
      await app.product.call('POST', '/decisions', { key: owner.key, body });
    }
    const page = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: owner.cookie });
    await page.getByRole('link', { name: 'Decision 51' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Decision 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  });
});
