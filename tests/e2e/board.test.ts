/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, focused, openMore, useConsole } from './support/index.ts';

const app = useConsole();

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
const cardIn = (page: Page, name: string, title: string) =>
  column(page, name).getByRole('listitem').filter({ hasText: title });
const moveByMenu = async (page: Page, title: string, to: string) => {
  await openMore(page, title);
  await page.getByRole('button', { name: `Move to ${to}`, exact: true }).click();
};

it('a board shows decisions by status, and moves them by mouse and by keyboard', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const viewer = await owner.addMember('viewer', 'Viola Viewer');
  const light = await owner.decide('Light the pier', {
    ...{ decisionType: 'site', tags: ['sea'], expectedBy: '2026-01-01' },
  });
  const paint = await owner.decide('Paint it red', { tags: ['sea'] });
  await owner.decide('Sell the boat');
  const stored = async (id: string) => (await owner.call('GET', `/decisions/${id}`)).status;
  const page = await owner.open('decisions?tag=sea');
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  await cardIn(page, 'proposed', 'Light the pier').getByText('site').waitFor();
  await cardIn(page, 'proposed', 'Light the pier').getByText('Ada Lovelace').waitFor();
  await cardIn(page, 'proposed', 'Light the pier').getByText('overdue').waitFor();
  expect(await page.locator('.board h2').allTextContents()).toEqual([
    ...['proposed 2', 'accepted 0', 'rejected 0', 'archived 0'],
  ]);
  await checkAccessible(page);

  await card(page, 'Light the pier').dragTo(column(page, 'accepted'));
  await page.getByText('Light the pier is now accepted.').waitFor();
  await cardIn(page, 'accepted', 'Light the pier').waitFor();
  expect(await stored(light)).toBe('accepted');

  await page.getByRole('button', { name: 'More actions for Paint it red' }).press('Enter');
  await page.getByRole('button', { name: 'Move to rejected' }).press('Enter');
  await page.getByText('Paint it red is now rejected.').waitFor();
  await focused(cardIn(page, 'rejected', 'Paint it red').getByRole('link', { name: 'Paint it red' }));
  expect(await stored(paint)).toBe('rejected');

  // What others do.
  await owner.call('PATCH', `/decisions/${light}`, { status: 'archived' });
  await cardIn(page, 'archived', 'Light the pier').waitFor();

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this view as').fill('Sea board');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Sea board' }).waitFor();
  await page.goto(`/w/${owner.workspaceId}/decisions?sort=title`);
  await page.getByRole('row').nth(3).waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'Sea board' }).click();
  await cardIn(page, 'archived', 'Light the pier').waitFor();
  expect(await page.getByText('Sell the boat').count()).toBe(0);
  await page.getByRole('link', { name: 'List', exact: true }).click();
  await page.getByRole('row', { name: /Paint it red/ }).waitFor();

  const seen = await viewer.open('decisions?board=true', { width: 360 });
  await card(seen, 'Sell the boat').waitFor();
  expect(await seen.getByRole('button', { name: /^More actions for/ }).count()).toBe(0);
  expect(await card(seen, 'Sell the boat').getAttribute('draggable')).toBe('false');
  // Scrolls by itself, not the page.
  const widths = await seen.locator('.board').evaluate((board) => [board.scrollWidth, board.clientWidth]);
  expect(widths[0]).toBeGreaterThan(widths[1]!);
  await checkAccessible(seen);
});

it('a card that may not be moved goes back, and the page says why', async () => {
  const owner = await app.signUp();
  const rule = { approvals: 1, mode: 'enforced' };
  await owner.call('PUT', '/approval-rules', { rules: [rule] });
  const light = await owner.decide('Light the pier');
  const page = await owner.open('decisions?board=true', { expects: /^(409|412) of / });
  await moveByMenu(page, 'Light the pier', 'accepted');
  await page.getByText('Approvals of this text are missing').waitFor();
  await cardIn(page, 'proposed', 'Light the pier').waitFor();

  /** Changes the decision just before the page does. */
  const before = (change: object) =>
    page.route(
      `**/v1/decisions/${light}*`,
      async (route) => {
        await owner.call('PATCH', `/decisions/${light}`, change);
        await route.fallback();
      },
      { times: 1 },
    );
  await before({ rationale: 'Ships pass at night' });
  await moveByMenu(page, 'Light the pier', 'rejected');
  await page.getByText('Light the pier is now rejected.').waitFor();

  await cardIn(page, 'rejected', 'Light the pier').waitFor();
  await before({ status: 'archived' });
  await moveByMenu(page, 'Light the pier', 'proposed');
  await page.getByText('it is archived now. Move it again').waitFor();
  await cardIn(page, 'archived', 'Light the pier').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

it('a board shows the nodes of a workflow by status, with undo', async () => {
  const owner = await app.signUp();
  const { path, ids, graph } = await drawWorkflow(owner, ['Plan', 'Build']);
  await owner.call('PATCH', `/nodes/${ids['Plan']}`, { assignedTo: 'Harbour office', status: 'todo' });
  const page = await owner.open(path);
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  await cardIn(page, 'To do', 'Plan').getByText('Harbour office').waitFor();
  await checkAccessible(page);
  await card(page, 'Plan').dragTo(column(page, 'In progress'));
  await cardIn(page, 'In progress', 'Plan').waitFor();
  const stored = async () => (await owner.call('GET', `/nodes/${ids['Plan']}`)).status;
  await eventually(async () => expect(await stored()).toBe('in_progress'));
  await moveByMenu(page, 'Plan', 'Done');
  await cardIn(page, 'Done', 'Plan').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await cardIn(page, 'In progress', 'Plan').waitFor();
  await owner.call('PATCH', `/nodes/${ids['Build']}`, { status: 'cancelled' });
  await cardIn(page, 'Cancelled', 'Build').getByRole('button', { name: 'Build', exact: true }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await focused(cardIn(page, 'Cancelled', 'Build').getByRole('button', { name: 'Build', exact: true }));
  await column(page, 'In review').getByRole('button', { name: 'Add node: In review' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Document', exact: true }).press('Enter');
  const title = page.getByRole('textbox', { name: 'Title' });
  await focused(title);
  await page.keyboard.type('Read the chart');
  await page.keyboard.press('Enter');
  await cardIn(page, 'In review', 'Read the chart').getByText('Document').waitFor();
  await page.getByRole('tab', { name: 'Details' }).press('ArrowRight');
  await page.getByRole('tab', { name: 'Discussion' }).press('ArrowLeft');
  await focused(page.getByRole('tab', { name: 'Details' }));
  await title.focus();
  await page.keyboard.press('Backspace');
  expect(await title.inputValue()).not.toBe('');
  await page.getByRole('button', { name: 'Discard' }).click();
  const { nodes } = await graph();
  expect(nodes.find(({ status }) => status === 'in_review')).toMatchObject({ type: 'doc' });
  expect(new Set(nodes.map(({ position_y }) => position_y)).size).toBe(2);
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();
  // The keys of the canvas do nothing here.
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
  await page.reload();
  await cardIn(page, 'Cancelled', 'Build').waitFor();
  await page.getByRole('link', { name: 'Canvas', exact: true }).click();
  await page.locator('.react-flow__node').nth(1).waitFor();
});
