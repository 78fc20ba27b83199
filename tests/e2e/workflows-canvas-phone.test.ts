import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { drawWorkflow, node } from './support/draw-workflow.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const SCREEN = { width: 360, height: 740 };

async function boxOf(element: Locator) {
  const { x, y, width, height } = (await element.boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

it('shows the canvas, its tools and an open node together on a phone', async () => {
  const { owner, path, graph } = await drawWorkflow(app.product, ['Plan', 'Build', 'Ship'], ['Plan>Build']);
  const page = await app.visit(path, { cookie: owner.cookie, ...SCREEN });
  const canvas = page.locator('.workflow-canvas');
  await node(page, 'Ship').waitFor();
  // The tools leave most of the screen to the canvas, without scrolling.
  expect((await boxOf(page.getByRole('toolbar'))).height).toBeLessThan(100);
  expect((await boxOf(canvas)).height).toBeGreaterThan(0.6 * SCREEN.height);
  const [wide, high] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight];
  });
  expect(wide).toBeLessThanOrEqual(SCREEN.width);
  expect(high).toBeLessThanOrEqual(SCREEN.height);

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
    expect(sheet.bottom).toBeLessThanOrEqual(SCREEN.height);
    expect(card.top).toBeGreaterThanOrEqual(shown.top);
    expect(card.bottom).toBeLessThanOrEqual(shown.bottom);
    expect(card.left).toBeGreaterThanOrEqual(shown.left);
    expect(card.right).toBeLessThanOrEqual(shown.right);
  });
  await checkAccessible(page);
  await panel.getByRole('button', { name: 'Close the panel' }).click();
  await panel.waitFor({ state: 'detached' });
});
