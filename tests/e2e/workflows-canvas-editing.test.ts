import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';
import { drawWorkflow, node, openWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, focused, openMore, useConsole } from './support/index.ts';

const app = useConsole();

/** The field for the title of a node on the canvas. */
const titleField = (page: Page) => page.locator('.react-flow__node').getByRole('textbox', { name: 'Title' });

/** Double-clicks in one task: a busy machine may take longer between two clicks than a person. */
const doubleClick = (element: Locator) =>
  element.evaluate((target) => {
    const { x, y, width, height } = target.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2 };
    for (const [type, detail] of [
      ['click', 1],
      ['click', 2],
      ['dblclick', 2],
    ] as const)
      target.dispatchEvent(
        new MouseEvent(type, { bubbles: true, cancelable: true, view: window, detail, ...at }),
      );
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

it('the title of a node can be typed at once on a new node, which is in view', async () => {
  const owner = await app.signUp();
  const { path, graph } = await drawWorkflow(owner, ['Plan']);
  const page = await owner.open(path, { height: 560 });
  await node(page, 'Plan').waitFor();
  const kinds = ['Task', 'Decision', 'Pulse', 'Table', 'Discussion'];
  for (const kind of kinds) {
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('menuitem', { name: kind, exact: true }).click();
    await focused(titleField(page));
    await page.keyboard.type(`My ${kind}`);
    await page.keyboard.press('Enter');
    await focused(node(page, `My ${kind}`));
    await waitInView(page, `My ${kind}`);
  }
  await eventually(async () =>
    expect((await graph()).nodes.map(({ title }) => title)).toEqual([
      'Plan',
      ...kinds.map((kind) => `My ${kind}`),
    ]),
  );
});

it('what is typed before a new node or its field is there becomes its title, and runs no shortcut', async () => {
  const { page, path, graph } = await openWorkflow(app, ['Plan']);
  const addTask = async (early: string) => {
    const asked = Promise.withResolvers<() => void>();
    await page.route('**/v1/nodes*', (route) => asked.resolve(() => void route.continue()), { times: 1 });
    await page.getByRole('button', { name: 'Add node' }).first().click();
    await page.getByRole('menuitem', { name: 'Task', exact: true }).click();
    const answer = await asked.promise;
    await page.keyboard.type(early);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    answer();
  };
  await node(page, 'Plan').waitFor();
  await addTask('cut the desk??');
  await focused(titleField(page));
  await page.keyboard.type('!');
  expect(await titleField(page).inputValue()).toBe('cut the desk?!');
  await page.keyboard.press('Enter');
  await focused(node(page, 'cut the desk?!'));

  await page.getByText('Board', { exact: true }).click();
  await addTask('chart it..');
  const title = page.getByRole('textbox', { name: 'Title' });
  await focused(title);
  expect(await title.inputValue()).toBe('chart it.');
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`${path}$`));
  expect((await graph()).nodes).toHaveLength(3);
});

it('a double click on a node of a large workflow leaves it in view, where its title is typed', async () => {
  const titles = Array.from({ length: 12 }, (_, at) => `Step ${at + 11}`);
  const { page } = await openWorkflow(app, titles);
  for (const title of ['Step 11', 'Step 22']) {
    await page.getByRole('button', { name: 'Fit View' }).click();
    await waitInView(page, 'Step 11');
    await waitInView(page, 'Step 22');
    await doubleClick(node(page, title));
    await focused(titleField(page));
    await eventually(async () => {
      const field = (await titleField(page).boundingBox())!;
      const canvas = (await page.locator('.workflow-canvas').boundingBox())!;
      expect(field.x).toBeGreaterThanOrEqual(canvas.x);
      expect(field.x + field.width).toBeLessThanOrEqual(canvas.x + canvas.width);
    });
    await page.keyboard.press('Escape');
  }
});

it('a node is connected to another one by its title and Enter, also if other titles contain it', async () => {
  const { page, ids, graph } = await openWorkflow(app, ['Start', 'Step 30', 'Step 3']);
  await node(page, 'Start').focus();
  await page.keyboard.press('c');
  const to = page.getByRole('dialog').getByRole('combobox', { name: 'To' });
  await focused(to);
  await page.keyboard.type('step 3');
  await page.locator('[data-combobox-selected]', { hasText: 'Step 3' }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await to.inputValue()).toBe('Step 3'));
  await page.keyboard.press('Control+Enter');
  await eventually(async () =>
    expect((await graph()).edges).toMatchObject([{ source_id: ids['Start'], target_id: ids['Step 3'] }]),
  );
});

it('a node that leads to all others has no list of targets, and a list without a match is accessible', async () => {
  const { page } = await openWorkflow(app, ['Plan', 'Build'], ['Plan>Build']);
  await node(page, 'Plan').focus();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This node leads to every other node already.').waitFor();
  expect(await dialog.getByRole('combobox').count()).toBe(0);
  await checkAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await node(page, 'Build').focus();
  await page.keyboard.press('c');
  await dialog.getByRole('combobox', { name: 'To' }).fill('nowhere');
  await page.getByText('No such node').waitFor();
  await checkAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Go to a node' }).fill('nowhere');
  await page.getByText('No such node').waitFor();
  await checkAccessible(page);
});

it('the title of a node wraps to a second line, and is edited in place after a double click or F2, also near the edge', async () => {
  const long = 'Ask every team for its numbers of the last quarter';
  const { page, graph } = await openWorkflow(app, ['Plan', long, 'Test', 'Ship']);
  const title = async () => (await graph()).nodes[3]!['title'];
  await waitInView(page, long);
  const height = async (name: string) =>
    (await node(page, name).locator('.node-title').boundingBox())!.height;
  expect(await height(long)).toBeGreaterThan(1.5 * (await height('Plan')));
  const cut = await node(page, long)
    .locator('.node-title')
    .evaluate((element) => element.scrollWidth > element.clientWidth);
  expect(cut).toBe(false);

  await doubleClick(node(page, 'Ship'));
  await focused(titleField(page));
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
  await focused(node(page, 'Ship'));
  await page.keyboard.press('F2');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await focused(node(page, 'Ship'));
  expect(await title()).toBe('Ship');

  // A click elsewhere saves too.
  await page.keyboard.press('F2');
  await page.keyboard.type('Release');
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
  await eventually(async () => expect(await title()).toBe('Release'));

  // The panel of an open node narrows the canvas.
  await node(page, 'Release').click();
  await page.getByRole('region', { name: 'Release' }).waitFor();
  await waitInView(page, 'Release');
});

it('an open node is assigned to one of the members, whose names are suggested', async () => {
  const { owner, page, path, graph } = await openWorkflow(app, ['Plan']);
  const grace = await owner.addMember('member', 'Grace Hopper');
  await node(page, 'Plan').click();
  await page.getByRole('combobox', { name: 'Assigned to' }).fill('hop');
  await page.getByRole('option', { name: 'Grace Hopper' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(async () => expect((await graph()).nodes[0]!['assigned_to']).toBe(grace.userId));
  await node(page, 'Plan').getByText('Grace Hopper').waitFor();

  const theirs = await grace.open(path);
  await node(theirs, 'Plan').click();
  await theirs.getByRole('combobox', { name: 'Assigned to' }).fill('grace');
  await theirs.getByRole('option', { name: 'Grace Hopper' }).waitFor();
});

it('an open node has a thread, in which messages in Markdown are posted, edited and deleted', async () => {
  const { page } = await openWorkflow(app, ['Design']);
  const message = page.getByLabel('New message');
  const edited = page.getByLabel('Message, in Markdown', { exact: true });
  await node(page, 'Design').click();
  await page.getByRole('tab', { name: 'Discussion' }).click();
  await page.getByText('No messages yet').waitFor();
  await page.getByRole('button', { name: 'Write a message' }).click();
  await message.fill('Ship it **today**, <img src=x onerror=alert(1)>');
  await page.getByRole('button', { name: 'Close the panel' }).click();
  await page.getByRole('link', { name: 'All workflows' }).click();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  await node(page, 'Design').click();
  await page.getByRole('tab', { name: 'Discussion' }).click();
  await page.getByRole('button', { name: 'Post' }).click();
  await page.locator('li strong', { hasText: 'today' }).waitFor();
  await checkAccessible(page);
  await openMore(page, /^More actions for the message/);
  await page.getByRole('button', { name: 'Edit' }).click();
  await edited.fill('Ship it *tomorrow*');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('li em', { hasText: 'tomorrow' }).waitFor();
  await openMore(page, /^More actions for the message/);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete message' }).click();
  await page.getByText('No messages yet').waitFor();

  const write = page.getByRole('button', { name: 'Write a message' });
  await write.click();
  await message.fill('Is this *still* the plan?');
  await message.press('Control+Enter');
  await page.locator('li em', { hasText: 'still' }).waitFor();
  await write.click();
  expect(await message.inputValue()).toBe('');
  // An empty message is not posted.
  await message.press('Control+Enter');
  await openMore(page, /^More actions for the message/);
  await page.getByRole('button', { name: 'Edit' }).click();
  await edited.fill('It is');
  await edited.press('Control+Enter');
  const messages = page.getByRole('list', { name: 'Messages' });
  await messages.getByText('It is').waitFor();
  expect(await messages.getByRole('listitem').count()).toBe(1);
});
