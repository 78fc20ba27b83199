import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { drawWorkflow, edge, node } from './support/draw-workflow.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const selected = (page: Page) => page.locator('.react-flow__node.selected');

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

describe('selected nodes', () => {
  it('are all nodes with Ctrl+A, and are deleted together', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan', 'Build', 'Ship'], ['Plan>Build']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Ship').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: '3 selected' }).waitFor();
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

  it('leave Ctrl+D to the browser while nothing is selected', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Plan']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Plan').waitFor();
    const isLeft = () =>
      page.evaluate(() =>
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'd',
            code: 'KeyD',
            ctrlKey: true,
            bubbles: true,
            cancelable: true,
          }),
        ),
      );
    expect(await isLeft()).toBe(true);
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: '1 selected' }).waitFor();
    expect(await isLeft()).toBe(false);
  });

  it('are those in a rectangle drawn with Shift, or without it after a choice in the menu', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Plan', 'Build', 'Ship']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Ship').waitFor();
    await page.keyboard.down('Shift');
    await dragAround(page, 'Plan', 'Build');
    await page.keyboard.up('Shift');
    await page.getByRole('button', { name: '2 selected' }).waitFor();
    await checkAccessible(page);
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
    await page.getByRole('button', { name: 'Select', exact: true }).waitFor();

    await choose(page, 'Drag to select');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await dragAround(page, 'Build', 'Ship');
    await page.getByRole('button', { name: '2 selected' }).waitFor();
    expect(await page.getByRole('button', { name: 'Close the panel' }).count()).toBe(0);
  });

  it('grow and shrink with Ctrl+click, and move together', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan', 'Build', 'Ship']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Plan').click({ modifiers: ['Control'] });
    await node(page, 'Ship').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: '2 selected' }).waitFor();
    await node(page, 'Build').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: '3 selected' }).waitFor();
    await node(page, 'Build').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: '2 selected' }).waitFor();
    expect(await page.getByRole('button', { name: 'Close the panel' }).count()).toBe(0);
    const at = (await node(page, 'Plan').boundingBox())!;
    await page.mouse.move(at.x + 100, at.y + 20);
    await page.mouse.down();
    await page.mouse.move(at.x + 100, at.y + 120, { steps: 5 });
    await page.mouse.up();
    await eventually(async () => {
      const [plan, build, ship] = (await graph()).nodes;
      expect(plan!['position_y']).toBeGreaterThan(0);
      expect(ship!['position_y']).toBe(plan!['position_y']);
      expect(build!['position_y']).toBe(0);
    });
  });

  it('are duplicated with the edges between them in a single step that undo reverts', async () => {
    const { owner, path, graph } = await drawWorkflow(
      app.product,
      ['Plan', 'Build', 'Ship'],
      ['Plan>Build', 'Build>Ship'],
    );
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Plan').click({ modifiers: ['Control'] });
    await node(page, 'Build').click({ modifiers: ['Control'] });
    await page.keyboard.press('Control+d');
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

  it('are copied and pasted, also into another workflow', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan', 'Build'], ['Plan>Build']);
    const { cookie, workspaceId } = owner;
    const body = { workspaceId, title: 'Next release' };
    const { id } = (await app.product.call('POST', '/workflows', { cookie, body })).body;
    const page = await app.visit(path, { cookie });
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
      const { body } = await app.product.call('GET', `/workflows/${id}/graph`, { cookie });
      expect(body.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['Build', 'Plan']);
    });
    // In a field, the keys do what they do everywhere.
    await node(page, 'Plan').click();
    await page.getByLabel('Title').fill('');
    await page.getByLabel('Title').press('Control+v');
    expect(await page.getByLabel('Title').inputValue()).toContain('Plan');
  });

  it('are aligned and distributed', async () => {
    const { owner, path, ids, graph } = await drawWorkflow(app.product, ['Plan', 'Build', 'Ship']);
    const body = { positionX: 350, positionY: 200 };
    const { status } = await app.product.call('PATCH', `/nodes/${ids['Build']}`, {
      cookie: owner.cookie,
      body,
    });
    expect(status).toBe(200);
    const places = async () =>
      (await graph()).nodes.map(({ position_x, position_y }) => [position_x, position_y]);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Plan').waitFor();
    await choose(page, 'Select all');
    await choose(page, 'Align top');
    await eventually(async () =>
      expect(await places()).toEqual([
        [0, 0],
        [350, 0],
        [600, 0],
      ]),
    );
    await choose(page, 'Distribute horizontally');
    await eventually(async () =>
      expect(await places()).toEqual([
        [0, 0],
        [300, 0],
        [600, 0],
      ]),
    );
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await eventually(async () =>
      expect(await places()).toEqual([
        [0, 0],
        [350, 200],
        [600, 0],
      ]),
    );
  });
});
