import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { drawWorkflow, node } from './support/draw-workflow.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** The field for the title of a node on the canvas. */
const titleField = (page: Page) => page.locator('.react-flow__node').getByRole('textbox', { name: 'Title' });

/** Double-clicks in one task: a busy machine may take longer between two clicks than a person. */
const doubleClick = (element: Locator) =>
  element.evaluate((target) => {
    for (const [type, detail] of [
      ['click', 1],
      ['click', 2],
      ['dblclick', 2],
    ] as const)
      target.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, detail }));
  });

/** Waits until the canvas shows all of a node. */
async function waitInView(page: Page, title: string): Promise<void> {
  await eventually(async () => {
    const card = (await node(page, title).boundingBox())!;
    const canvas = (await page.locator('.workflow-canvas').boundingBox())!;
    expect(card.x).toBeGreaterThanOrEqual(canvas.x);
    expect(card.y).toBeGreaterThanOrEqual(canvas.y);
    expect(card.x + card.width).toBeLessThanOrEqual(canvas.x + canvas.width);
    expect(card.y + card.height).toBeLessThanOrEqual(canvas.y + canvas.height);
  });
}

describe('the title of a node', () => {
  it('can be typed at once on a new node, which is in view', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan']);
    const page = await app.visit(path, { cookie: owner.cookie, height: 560 });
    await node(page, 'Plan').waitFor();
    const kinds = ['Task', 'Decision', 'Pulse', 'Table', 'Thread'];
    for (const kind of kinds) {
      await page.getByRole('button', { name: 'Add node' }).click();
      await page.getByRole('menuitem', { name: kind, exact: true }).click();
      await titleField(page).and(page.locator(':focus')).waitFor();
      await page.keyboard.type(`My ${kind}`);
      await page.keyboard.press('Enter');
      await node(page, `My ${kind}`).and(page.locator(':focus')).waitFor();
      await waitInView(page, `My ${kind}`);
    }
    await eventually(async () =>
      expect((await graph()).nodes.map(({ title }) => title)).toEqual([
        'Plan',
        ...kinds.map((kind) => `My ${kind}`),
      ]),
    );
  });

  it('is edited in place after a double click or F2, also near the edge, and the change can be undone', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan', 'Build', 'Test', 'Ship']);
    const title = async () => (await graph()).nodes[3]!['title'];
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Ship').waitFor();
    await doubleClick(node(page, 'Ship'));
    await titleField(page).and(page.locator(':focus')).waitFor();
    await checkAccessible(page);
    await page.keyboard.type('Deliver');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await title()).toBe('Deliver'));
    expect(await page.getByRole('button', { name: 'Close the panel' }).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await eventually(async () => expect(await title()).toBe('Ship'));

    await node(page, 'Ship').press('F2');
    await page.keyboard.type('Forget it');
    await page.keyboard.press('Escape');
    await node(page, 'Ship').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('F2');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await node(page, 'Ship').and(page.locator(':focus')).waitFor();
    expect(await title()).toBe('Ship');

    // A click elsewhere saves too.
    await page.keyboard.press('F2');
    await page.keyboard.type('Release');
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
    await eventually(async () => expect(await title()).toBe('Release'));
  });

  it('is not editable for a viewer', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Plan']);
    const viewer = await app.product.signUp('Vera Viewer');
    await app.product.addMember(owner, viewer, 'viewer');
    const page = await app.visit(path, { cookie: viewer.cookie });
    await node(page, 'Plan').dblclick();
    await page.getByRole('region', { name: 'Plan' }).waitFor();
    await node(page, 'Plan').press('F2');
    expect(await titleField(page).count()).toBe(0);
  });

  it('wraps to a second line', async () => {
    const long = 'Ask every team for its numbers of the last quarter';
    const { owner, path } = await drawWorkflow(app.product, ['Plan', long]);
    const page = await app.visit(path, { cookie: owner.cookie });
    const height = async (title: string) =>
      (await node(page, title).locator('.node-title').boundingBox())!.height;
    await waitInView(page, long);
    expect(await height(long)).toBeGreaterThan(1.5 * (await height('Plan')));
    const cut = await node(page, long)
      .locator('.node-title')
      .evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(cut).toBe(false);
    await checkAccessible(page);
  });
});

describe('an open node', () => {
  it('stays in view when its panel narrows the canvas', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Plan', 'Build', 'Test', 'Ship']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Ship').click();
    await page.getByRole('region', { name: 'Ship' }).waitFor();
    await waitInView(page, 'Ship');
  });

  it('is assigned to one of the members, whose names are suggested', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan']);
    const grace = await app.product.signUp('Grace Hopper');
    await app.product.addMember(owner, grace, 'member');
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Plan').click();
    await page.getByRole('combobox', { name: 'Assigned to' }).fill('hop');
    await page.getByRole('option', { name: 'Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => expect((await graph()).nodes[0]!['assigned_to']).toBe('Grace Hopper'));

    // A member may not see the members, but knows their own name and those in use.
    const theirs = await app.visit(path, { cookie: grace.cookie });
    await node(theirs, 'Plan').click();
    await theirs.getByRole('combobox', { name: 'Assigned to' }).fill('grace');
    await theirs.getByRole('option', { name: 'Grace Hopper' }).waitFor();
  });

  it('posts the message with Ctrl+Enter', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Plan']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Plan').click();
    await page.getByRole('tab', { name: 'Thread' }).click();
    await page.getByLabel('New message').fill('Is this *still* the plan?');
    await page.getByLabel('New message').press('Control+Enter');
    await page.locator('li em', { hasText: 'still' }).waitFor();
    expect(await page.getByLabel('New message').inputValue()).toBe('');
    // An empty message is not posted.
    await page.getByLabel('New message').press('Control+Enter');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Message, in Markdown', { exact: true }).fill('It is');
    await page.getByLabel('Message, in Markdown', { exact: true }).press('Control+Enter');
    await page.getByRole('list', { name: 'Messages' }).getByText('It is').waitFor();
    expect(await page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count()).toBe(1);
  });
});
