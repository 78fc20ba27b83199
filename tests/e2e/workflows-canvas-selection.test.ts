import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { drawWorkflow, edge, node, openWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();

const selected = (page: Page) => page.locator('.react-flow__node.selected');
const areSelected = (page: Page, count: number) =>
  page.getByRole('button', { name: `${count} selected` }).waitFor();

/** Drags over the canvas between two corners of the area around its nodes. */
async function dragAround(page: Page, first: string, last: string): Promise<void> {
  const from = (await node(page, first).boundingBox())!;
  const to = (await node(page, last).boundingBox())!;
  await page.mouse.move(from.x - 15, from.y - 30);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + to.height + 30, { steps: 6 });
  await page.mouse.up();
}

async function choose(page: Page, item: string): Promise<void> {
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Select$|selected$/ })
    .click();
  await page.getByRole('menu').getByText(item, { exact: true }).click();
}

/** Presses Ctrl+D, and returns whether the canvas leaves it to the browser. */
const isLeftToBrowser = (page: Page) =>
  page.evaluate(() => {
    const keys = { key: 'd', code: 'KeyD', ctrlKey: true, bubbles: true, cancelable: true };
    return document.body.dispatchEvent(new KeyboardEvent('keydown', keys));
  });

it('Ctrl+A selects all nodes, which are deleted together', async () => {
  const { page, graph } = await openWorkflow(app, ['Plan', 'Build', 'Ship'], ['Plan>Build']);
  await node(page, 'Ship').waitFor();
  await page.keyboard.press('Control+a');
  await areSelected(page, 3);
  expect(await selected(page).count()).toBe(3);
  await checkAccessible(page);
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete nodes' }).click();
  await eventually(async () => expect((await graph()).nodes).toEqual([]));
  await page.keyboard.press('Control+z');
  await eventually(async () => {
    expect((await graph()).nodes).toHaveLength(3);
    expect((await graph()).edges).toHaveLength(1);
  });

  // The keys of the canvas rest while a dialog asks.
  await page.getByText('Saved', { exact: true }).waitFor();
  await node(page, 'Plan').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Redo' }).isEnabled()).toBe(true);
});

it('a rectangle selects nodes, drawn with Shift, or without it after a choice in the menu', async () => {
  const { page } = await openWorkflow(app, ['Plan', 'Build', 'Ship']);
  await node(page, 'Ship').waitFor();
  await page.keyboard.down('Shift');
  await dragAround(page, 'Plan', 'Build');
  await page.keyboard.up('Shift');
  await areSelected(page, 2);
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
  await page.getByRole('button', { name: 'Select', exact: true }).waitFor();

  await choose(page, 'Drag to select');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await dragAround(page, 'Build', 'Ship');
  await areSelected(page, 2);
  expect(await page.getByRole('button', { name: 'Close the panel' }).count()).toBe(0);
});

it('Ctrl+click selects nodes one by one, which move together, and are aligned and distributed', async () => {
  const { page, graph } = await openWorkflow(app, ['Plan', 'Build', 'Ship']);
  const places = async () =>
    (await graph()).nodes.map((one) => [one['position_x'], one['position_y']] as [number, number]);
  const toggle = (title: string) => node(page, title).click({ modifiers: ['Control'] });
  await toggle('Plan');
  await toggle('Ship');
  await areSelected(page, 2);
  await toggle('Build');
  await areSelected(page, 3);
  await toggle('Ship');
  await areSelected(page, 2);
  expect(await page.getByRole('button', { name: 'Close the panel' }).count()).toBe(0);
  const at = (await node(page, 'Plan').boundingBox())!;
  await page.mouse.move(at.x + 100, at.y + 20);
  await page.mouse.down();
  await page.mouse.move(at.x + 130, at.y + 120, { steps: 5 });
  await page.mouse.up();
  const moved = await eventually(async () => {
    const [plan, build, ship] = await places();
    expect(plan![1]).toBeGreaterThan(0);
    expect(build![1]).toBe(plan![1]);
    expect(ship).toEqual([600, 0]);
    return [plan![0], build![0]] as const;
  });
  expect(moved[1] - moved[0]).toBe(300);

  await choose(page, 'Select all');
  await choose(page, 'Align top');
  const aligned = [
    [moved[0], 0],
    [moved[1], 0],
    [600, 0],
  ];
  await eventually(async () => expect(await places()).toEqual(aligned));
  await choose(page, 'Distribute horizontally');
  const middle = (moved[0] + 600) / 2;
  await eventually(async () => expect(await places()).toEqual([aligned[0], [middle, 0], aligned[2]]));
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Control+z');
  await eventually(async () =>
    expect(await places()).toEqual([
      [0, 0],
      [300, 0],
      [600, 0],
    ]),
  );
});

it('selected nodes are duplicated with the edges between them in a single step that undo reverts', async () => {
  const { page, graph } = await openWorkflow(app, ['Plan', 'Build', 'Ship'], ['Plan>Build', 'Build>Ship']);
  await node(page, 'Plan').waitFor();
  expect(await isLeftToBrowser(page)).toBe(true);
  await node(page, 'Plan').click({ modifiers: ['Control'] });
  await node(page, 'Build').click({ modifiers: ['Control'] });
  await areSelected(page, 2);
  expect(await isLeftToBrowser(page)).toBe(false);
  await page.getByText('Saved', { exact: true }).waitFor();
  const copies = async () => (await graph()).nodes.filter(({ position_y }) => position_y !== 0);
  await eventually(async () => {
    expect((await graph()).edges).toHaveLength(3);
    expect(await copies()).toHaveLength(2);
  });
  expect(await copies()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: 'Plan', position_x: 40, position_y: 40 }),
      expect.objectContaining({ title: 'Build', position_x: 340, position_y: 40 }),
    ]),
  );
  // The copies are selected, so that they can be moved at once.
  await eventually(async () => {
    const ids = await selected(page).evaluateAll((cards) =>
      cards.map((card) => card.getAttribute('data-id')),
    );
    expect(ids.sort()).toEqual((await copies()).map(({ id }) => id).sort());
  });
  await choose(page, 'Duplicate');
  await eventually(async () =>
    expect((await copies()).map(({ position_y }) => position_y).sort()).toEqual([40, 40, 80, 80]),
  );
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await eventually(async () => {
    const { nodes, edges } = await graph();
    expect([nodes.length, edges.length]).toEqual([3, 2]);
  });
});

it('selected nodes are copied and pasted, also into another workflow', async () => {
  const { owner, page, graph } = await openWorkflow(app, ['Plan', 'Build'], ['Plan>Build']);
  const next = await drawWorkflow(owner, [], [], { title: 'Next release' });
  await node(page, 'Plan').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await eventually(async () => {
    const { nodes, edges } = await graph();
    expect([nodes.length, edges.length]).toEqual([4, 2]);
  });
  await page.keyboard.press('Control+z');
  await eventually(async () => expect((await graph()).nodes).toHaveLength(2));

  await page.getByRole('link', { name: 'All workflows' }).click();
  await page.getByRole('link', { name: 'Next release' }).click();
  await page.getByText('An empty canvas').waitFor();
  await page.keyboard.press('Control+v');
  await edge(page, 'Plan', 'Build').waitFor({ state: 'attached' });
  await eventually(async () => {
    const { nodes } = await next.graph();
    expect(nodes.map(({ title }) => title).sort()).toEqual(['Build', 'Plan']);
  });
  // In a field, the keys do what they do everywhere.
  await node(page, 'Plan').click();
  await page.getByLabel('Title').fill('');
  await page.getByLabel('Title').press('Control+v');
  expect(await page.getByLabel('Title').inputValue()).toContain('Plan');
});
