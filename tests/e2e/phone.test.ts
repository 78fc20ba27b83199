/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator } from 'playwright-core';
import { drawWorkflow, node } from './support/draw-workflow.ts';
import { checkAccessible, focused, useConsole } from './support/index.ts';

const app = useConsole();
const PHONE = { width: 360, height: 740 };

async function boxOf(element: Locator) {
  const { x, y, width, height } = (await element.boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

it('on a phone, the rows of lists are cards, with the outcome and the role in words', async () => {
  const owner = await app.signUp();
  await owner.addMember('viewer', 'Grace Hopper');
  await (await owner.createKey()).decide('Keep the lamp', { tags: ['light'], outcome: 'failure' });
  const page = await owner.open('decisions', PHONE);
  await page.getByRole('link', { name: 'Keep the lamp' }).waitFor();
  const isInView = async (name: string) => {
    const box = (await page.getByRole('row').getByText(name, { exact: true }).boundingBox())!;
    return box.x >= 0 && box.x + box.width <= PHONE.width;
  };
  await page.getByRole('row').getByText('test key').waitFor();
  expect(await isInView('failure')).toBe(true);
  expect(await isInView('test key')).toBe(true);
  const label = await page
    .locator('td', { hasText: 'failure' })
    .evaluate((cell) => getComputedStyle(cell, '::before').content);
  expect(label).toContain('Outcome');
  // Its facts stand beside each other.
  expect((await boxOf(page.getByRole('row').filter({ hasText: 'Keep the lamp' }))).height).toBeLessThan(160);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Sort by').selectOption('Title');
  await page.waitForURL('**/decisions?sort=title');

  await page.goto(`/w/${owner.workspaceId}/settings/members`);
  const role = page.getByLabel('Role of Grace Hopper');
  await role.waitFor();
  // The select is as wide as its card, so that its words fit.
  const select = (await role.boundingBox())!;
  expect(select.width).toBeGreaterThanOrEqual(240);
  expect(select.x + select.width).toBeLessThan(PHONE.width);
  // The menu of the card is in its corner.
  const menu = await boxOf(page.getByRole('button', { name: 'More actions for Grace Hopper' }));
  expect(menu.bottom).toBeLessThan(select.y);
});

it('on a tablet, a list is cards, and the navigation opens', async () => {
  const owner = await app.signUp();
  await owner.decide('Keep the lamp', { tags: ['light'] });
  for (const width of [768, 991]) {
    const page = await owner.open('decisions', { width, height: 1_024 });
    await page.getByRole('cell', { name: 'Keep the lamp' }).waitFor();
    const card = await boxOf(page.getByRole('row').filter({ hasText: 'Keep the lamp' }));
    expect(card.height).toBeLessThan(120);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Insight', exact: true }).click();
    await page.getByRole('heading', { name: 'Insight', level: 1 }).waitFor();
  }
});

it('on a phone, the form asks for a decision in one line, and for more in steps, with the score in view', async () => {
  const page = await (await app.signUp()).open('decisions/new', PHONE);
  await focused(page.getByLabel('Title'));
  const height = () => page.evaluate(() => document.querySelector('form')!.scrollHeight);
  expect(await height()).toBeLessThan(400);
  const add = page.getByRole('group', { name: 'Add', exact: true });
  await add.getByRole('button', { name: 'Context' }).click();
  await page.getByText('Step 2 of 2: Context').waitFor();
  await page.getByLabel('Question').fill('Do we keep the lamp of the old lighthouse?');
  await eventually(async () => {
    const score = page.getByText(/^Score [1-9]/);
    expect((await score.boundingBox())!.y).toBeLessThan(PHONE.height);
  });
  await checkAccessible(page);
  for (const [at, step] of ['Options and criteria', 'Resolution and reasons', 'Forecast'].entries()) {
    await add.getByRole('button', { name: step }).click();
    await page.getByText(`Step ${at + 3} of ${at + 3}: ${step}`).waitFor();
    await page.getByText(/^Score [1-9]/).waitFor();
    expect(await height()).toBeLessThan(1_200);
  }
  await page.getByLabel('Forecast of success').fill('200');
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText('Step 4 of 5: Resolution and reasons').waitFor();
  await page.getByRole('button', { name: 'Log decision' }).click();
  // A field in error shows its step.
  await page.getByText('A number from 0 to 100').waitFor();
  await focused(page.getByLabel('Forecast of success'));
  await page.getByLabel('Forecast of success').fill('80');
  await page.getByRole('button', { name: 'Log decision' }).click();
  await page.getByRole('heading', { name: 'Do we keep the lamp of the old lighthouse?' }).waitFor();
});

it('on a phone, the canvas, its tools and an open node are shown together', async () => {
  const owner = await app.signUp();
  const { path, graph } = await drawWorkflow(owner, ['Plan', 'Build', 'Ship'], ['Plan>Build'], {
    title: 'Move the shop to the cloud',
  });
  const page = await owner.open(path, PHONE);
  const canvas = page.locator('.workflow-canvas');
  await node(page, 'Ship').waitFor();
  await page.getByLabel('Notifications about this workflow').waitFor();
  const heading = page.getByRole('heading', { level: 1 });
  expect(await heading.evaluate((title) => title.scrollHeight - title.clientHeight)).toBe(0);
  // The tools leave most of the screen to the canvas, without scrolling.
  expect((await boxOf(page.getByRole('toolbar'))).height).toBeLessThan(100);
  expect((await boxOf(canvas)).height).toBeGreaterThan(0.6 * PHONE.height);
  const [wide, high] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight];
  });
  expect(wide).toBeLessThanOrEqual(PHONE.width);
  expect(high).toBeLessThanOrEqual(PHONE.height);

  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('menuitem', { name: 'Decision' }).click();
  await page.getByLabel('Title').and(page.locator(':focus')).fill('Go or no go');
  await page.keyboard.press('Enter');
  await node(page, 'Go or no go').click();
  const panel = page.getByRole('region', { name: 'Go or no go' });
  await panel.getByLabel('Status').selectOption('Done');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(async () =>
    expect((await graph()).nodes[3]).toMatchObject({ title: 'Go or no go', status: 'done' }),
  );
  // The panel is below the canvas, which still shows the node.
  await eventually(async () => {
    const shown = await boxOf(canvas);
    const card = await boxOf(node(page, 'Go or no go'));
    const sheet = await boxOf(panel);
    expect(sheet.top).toBeGreaterThanOrEqual(shown.bottom);
    expect(sheet.bottom).toBeLessThanOrEqual(PHONE.height);
    expect(card.top).toBeGreaterThanOrEqual(shown.top);
    expect(card.bottom).toBeLessThanOrEqual(shown.bottom);
    expect(card.left).toBeGreaterThanOrEqual(shown.left);
    expect(card.right).toBeLessThanOrEqual(shown.right);
  });
  await checkAccessible(page);
  await panel.getByRole('button', { name: 'Close the panel' }).click();
  await panel.waitFor({ state: 'detached' });
});

it('on a phone, the canvas first shows nodes that can be read, also of a long workflow', async () => {
  const owner = await app.signUp();
  const titles = Array.from({ length: 12 }, (_, i) => `Step ${i}`);
  const { path } = await drawWorkflow(owner, titles);
  const page = await owner.open(path, PHONE);
  const card = page.locator('.react-flow__node').first();
  await card.waitFor();
  const title = card.locator('.node-title');
  const size = await title.evaluate((one) => {
    const scale = one.getBoundingClientRect().width / (one as HTMLElement).offsetWidth;
    return Number.parseFloat(getComputedStyle(one).fontSize) * scale;
  });
  expect(size).toBeGreaterThan(10);
});
