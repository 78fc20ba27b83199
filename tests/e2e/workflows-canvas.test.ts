/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';
import { drawWorkflow, edge, node, openWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, focused, openMore, useConsole } from './support/index.ts';

const app = useConsole();

it('the list of workflows opens an empty canvas for a new workflow, renames and deletes', async () => {
  const page = await (await app.signUp()).open('workflows');
  await page.getByText('No workflows yet').waitFor();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'New workflow' }).click();
  await page.getByLabel('Title').fill('Hiring');
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByRole('heading', { name: 'Hiring', level: 1 }).waitFor();
  await page.getByText('An empty canvas').waitFor();
  await checkAccessible(page);
  await page.getByRole('link', { name: 'All workflows' }).click();
  await openMore(page, 'Hiring');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Title').fill('Releases');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /^Releases .* 0 just now/ }).waitFor();
  await page.getByLabel('Find a workflow').fill('hir');
  await page.getByText('No workflow has this in its title.').waitFor();
  await page.getByLabel('Find a workflow').fill('REL');
  await page.getByRole('link', { name: 'Releases' }).waitFor();
  await page.getByLabel('Find a workflow').fill('');
  await openMore(page, 'Releases');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete workflow' }).click();
  await page.getByText('No workflows yet').waitFor();
});

it('the canvas adds, moves, connects and edits nodes, and undoes and redoes each change', async () => {
  const { page, graph } = await openWorkflow(app, ['Design']);
  await node(page, 'Design').waitFor();

  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('menuitem', { name: 'Automation' }).click();
  await page.getByLabel('Title').press('Enter');
  await node(page, 'New automation').press('Enter');
  await page.getByLabel('Title').fill('Deploy');
  await page.getByLabel('Status').selectOption('In review');
  await page.getByRole('combobox', { name: 'Assigned to' }).fill('Grace');
  await page.getByLabel('Data').fill('{ "target": "production" }');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await node(page, 'Deploy').getByText('In review').waitFor();
  const [, deploy] = (await graph()).nodes;
  expect(deploy).toMatchObject({
    type: 'automation',
    title: 'Deploy',
    status: 'in_review',
    assigned_to: 'Grace',
    data: { target: 'production' },
  });
  await page.getByRole('button', { name: 'Move down' }).click();
  const { position_y: placed } = deploy as { position_y: number };
  await eventually(async () => expect((await graph()).nodes[1]).toMatchObject({ position_y: placed + 40 }));
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect((await graph()).nodes[1]).toMatchObject({ position_y: placed }));
  await page.getByRole('button', { name: 'Close the panel' }).click();

  const from = node(page, 'Design').locator('.react-flow__handle.source');
  await from.dragTo(node(page, 'Deploy').locator('.react-flow__handle.target'));
  await edge(page, 'Design', 'Deploy').waitFor({ state: 'attached' });
  await eventually(async () => expect((await graph()).edges).toHaveLength(1));

  const at = (await node(page, 'Deploy').boundingBox())!;
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2 + 60, at.y + at.height / 2 + 80, { steps: 5 });
  await page.mouse.up();
  const moved = async () => ((await graph()).nodes[1] as { position_y: number }).position_y;
  const { position_y: before } = deploy as { position_y: number };
  await eventually(async () => expect(await moved()).toBeGreaterThan(before));
  const after = await moved();

  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await moved()).toBe(before));
  await page.keyboard.press('Control+z');
  await eventually(async () => expect((await graph()).edges).toHaveLength(0));
  await page.keyboard.press('Control+z');
  await node(page, 'New automation').waitFor();
  await page.keyboard.press('Control+z');
  await eventually(async () => expect((await graph()).nodes).toHaveLength(1));
  for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('Control+Shift+z');
  await eventually(async () => {
    const { nodes, edges } = await graph();
    expect(edges).toHaveLength(1);
    expect(nodes[1]).toMatchObject({ id: deploy!['id'], title: 'Deploy', position_y: after });
  });
});

it('the canvas offers and draws all seven kinds of nodes and all six statuses', async () => {
  const statuses = ['Backlog', 'To do', 'In progress', 'In review', 'Done', 'Cancelled'];
  const kinds = ['Task', 'Document', 'Table', 'Discussion', 'Decision', 'Automation', 'Pulse'];
  const owner = await app.signUp();
  const { path, ids, graph } = await drawWorkflow(owner, statuses);
  for (const title of statuses) {
    const status = title.toLowerCase().replace('to do', 'todo').replace(' ', '_');
    await owner.call('PATCH', `/nodes/${ids[title]}`, { status });
  }
  const page = await owner.open(path);
  for (const kind of kinds) {
    const title = `New ${kind.toLowerCase()}`;
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('menuitem', { name: kind, exact: true }).click();
    await eventually(async () => expect(await page.getByLabel('Title').inputValue()).toBe(title));
  }
  await page.getByLabel('Title').press('Enter');
  await node(page, 'New pulse').press('Enter');
  await page.getByLabel('Status').waitFor();
  expect(await page.getByLabel('Status').locator('option').allTextContents()).toEqual(statuses);
  await page.getByRole('button', { name: 'Fit View' }).click();
  for (const kind of kinds) {
    const added = page.locator('.react-flow__node', {
      has: page.getByText(`New ${kind.toLowerCase()}`, { exact: true }),
    });
    await added.getByText(kind, { exact: true }).waitFor();
  }
  for (const status of statuses) {
    const card = page.locator(`.react-flow__node[data-id="${ids[status]}"]`);
    await card.locator('.node-state', { hasText: status }).waitFor();
  }
  const types = ['automation', 'decision', 'doc', 'pulse', 'table', 'task', 'thread'];
  const added = (await graph()).nodes.filter(({ title }) => String(title).startsWith('New '));
  expect(added.map(({ type }) => type).sort()).toEqual(types);
  await checkAccessible(page);
});

it('the canvas can be used by keyboard only', async () => {
  const { page, graph } = await openWorkflow(app, ['First', 'Second']);
  await node(page, 'First').waitFor();
  await page.getByRole('link', { name: 'All workflows' }).focus();
  for (let tabs = 0; tabs < 12; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await node(page, 'First').evaluate((element) => element === document.activeElement)) break;
  }
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('ArrowDown');
  await eventually(async () => expect((await graph()).nodes[0]!['position_y']).toBeGreaterThan(0));
  await page.keyboard.press('c');
  const connect = page.getByRole('dialog', { name: 'Connect “First”' });
  await connect.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
  await connect.locator('input[required]:invalid:focus').waitFor();
  await page.keyboard.type('Third');
  await page.keyboard.press('Control+Enter');
  await connect.locator('[data-error] input:focus').waitFor();
  await connect.getByRole('combobox', { name: 'To' }).fill('Second');
  await page.getByRole('option', { name: 'Second' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Condition').fill('{ "when": "approved" }');
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
  await edge(page, 'First', 'Second').waitFor({ state: 'attached' });
  await eventually(async () =>
    expect((await graph()).edges).toMatchObject([{ condition: { when: 'approved' } }]),
  );
  await node(page, 'First').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').fill('Started');
  await page.getByText('Input not saved yet').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await node(page, 'Started').waitFor();
  await page.keyboard.press('Escape');
  await focused(node(page, 'Started'));
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete node' }).press('Enter');
  await eventually(async () =>
    expect(await graph()).toMatchObject({ nodes: [{ title: 'Second' }], edges: [] }),
  );
  await page.keyboard.press('Control+z');
  await eventually(async () => {
    const { nodes, edges } = await graph();
    expect(nodes.map(({ title }) => title).sort()).toEqual(['Second', 'Started']);
    expect(edges).toMatchObject([{ condition: { when: 'approved' } }]);
  });
});

it('the canvas arranges the nodes along the edges in a single write, which one undo reverts', async () => {
  const { page, graph, workflowId } = await openWorkflow(app, ['C', 'A', 'B'], ['A>B', 'B>C']);
  const places = async () =>
    Object.fromEntries((await graph()).nodes.map(({ title, position_x }) => [title, position_x as number]));
  const before = await places();
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/v1/workflows/'))
      writes.push(`${request.method()} ${pathname}`);
  });
  await arrange(page, 'From left to right');
  await eventually(async () => {
    const { A, B, C } = await places();
    expect(A).toBeLessThan(B!);
    expect(B).toBeLessThan(C!);
  });
  expect(writes).toEqual([`PUT /v1/workflows/${workflowId}/graph`]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await places()).toEqual(before));
});

it('the canvas arranges from top to bottom, and no edge runs through a node, backward ones included', async () => {
  const titles = ['A', 'B', 'C', 'D'];
  const joined = ['A>B', 'B>C', 'C>D', 'D>A', 'C>A'];
  const { page, graph } = await openWorkflow(app, titles, joined);
  await edge(page, 'D', 'A').waitFor();
  expect(await edgesThroughNodes(page)).toEqual([]);
  await arrange(page, 'From top to bottom');
  await eventually(async () => {
    const tops = (await graph()).nodes.map(({ position_y }) => position_y as number);
    expect(tops.toSorted((a, b) => a - b)).toEqual(tops);
    expect(new Set(tops).size).toBe(4);
  });
  await page.getByText('Saved').waitFor();
  await page.reload();
  await edge(page, 'D', 'A').waitFor();
  expect(await edgesThroughNodes(page)).toEqual([]);
});

it('in a chain that is broken into rows or columns, no edge runs through a node', async () => {
  const titles = Array.from({ length: 14 }, (_, i) => `${String.fromCharCode(65 + i)}.`);
  const joined = titles.slice(1).map((title, i) => `${titles[i]}>${title}`);
  const back = ['I.>C.', 'N.>A.'];
  const { page, graph } = await openWorkflow(app, titles, [...joined, ...back]);
  const rowsAndColumns = async () => {
    const { nodes } = await graph();
    const count = (of: 'position_x' | 'position_y') => new Set(nodes.map((one) => one[of])).size;
    return [count('position_x') < titles.length, count('position_y') < titles.length];
  };
  for (const direction of ['From left to right', 'From top to bottom']) {
    await edge(page, 'N.', 'A.').waitFor({ state: 'attached' });
    const before = (await graph()).nodes;
    await arrange(page, direction);
    await eventually(async () => expect((await graph()).nodes).not.toEqual(before));
    expect(await rowsAndColumns()).toEqual([true, true]);
    await eventually(async () => expect(await underMinimap(page)).toEqual([]));
    await page.getByText('Saved').waitFor();
    await page.reload();
    await edge(page, 'N.', 'A.').waitFor({ state: 'attached' });
    await eventually(async () => expect(await edgesThroughNodes(page)).toEqual([]));
    await page.getByText('Live', { exact: true }).waitFor();
  }
});

it('the canvas shows the cycle that an acyclic workflow refuses', async () => {
  const joined = ['Plan>Build', 'Build>Ship'];
  const { page, ids, graph } = await openWorkflow(app, ['Plan', 'Build', 'Ship'], joined, {
    acyclic: true,
  });
  const from = node(page, 'Ship').locator('.react-flow__handle.source');
  await from.dragTo(node(page, 'Plan').locator('.react-flow__handle.target'));
  await page.getByRole('alert').getByText('"Ship" -> "Plan" -> "Build" -> "Ship"').waitFor();
  expect(await page.locator('.react-flow__edge.in-cycle').count()).toBe(3);
  expect(
    await page.locator(`.react-flow__edge[data-id="refused ${ids['Ship']}>${ids['Plan']}"]`).count(),
  ).toBe(1);
  expect((await graph()).edges).toHaveLength(2);
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.locator('.react-flow__edge.in-cycle').count()).toBe(0);

  await page.getByRole('switch', { name: 'Acyclic' }).click();
  await eventually(async () => expect(await graph()).toMatchObject({ acyclic: false }));
  await from.dragTo(node(page, 'Plan').locator('.react-flow__handle.target'));
  await eventually(async () => expect((await graph()).edges).toHaveLength(3));
  await page.getByRole('switch', { name: 'Acyclic' }).click();
  await page.getByRole('alert').getByText('This would close a cycle').waitFor();
  expect(await page.locator('.react-flow__edge.in-cycle').count()).toBe(3);
});

it('the canvas asks before the user leaves while the changes cannot be saved', async () => {
  const { page, ids, graph } = await openWorkflow(app, ['Design']);
  await node(page, 'Design').click();
  await page.route(`**/v1/nodes/${ids['Design']}`, (route) => route.abort());
  await page.getByRole('button', { name: 'Move down' }).click();
  await page.getByText('Waiting to save (1)').waitFor();
  await page.getByRole('link', { name: 'All workflows' }).click();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  await page.unroute(`**/v1/nodes/${ids['Design']}`);
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await graph()).nodes).toMatchObject([{ position_y: 40 }]);
  await page.getByRole('link', { name: 'All workflows' }).click();
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
});

it('the canvas shows a viewer the graph, and no way to change it', async () => {
  const owner = await app.signUp();
  const viewer = await owner.addMember('viewer', 'Vera Viewer');
  const { path } = await drawWorkflow(owner, ['Design', 'Build'], ['Design>Build']);
  const page = await viewer.open(path);
  await node(page, 'Design').dblclick();
  await page.getByRole('region', { name: 'Design' }).waitFor();
  await node(page, 'Design').press('F2');
  expect(await page.locator('.react-flow__node').getByRole('textbox').count()).toBe(0);
  await page.getByText('Assigned to: nobody').waitFor();
  expect(await page.getByRole('button', { name: /Add node|Undo|Arrange|Delete/ }).count()).toBe(0);
  // Screen readers are told only the keys that do something.
  await page.getByText('Enter opens the node.').waitFor({ state: 'attached' });
  expect(await page.getByText('Delete removes it').count()).toBe(0);
  await checkAccessible(page);

  await page.getByText('Live', { exact: true }).waitFor();
  await owner.call('DELETE', `/members/${viewer.memberId}`);
  await page.getByText('No access').waitFor();
  await page.getByText('Your role does not allow this').waitFor();
});

it('a large workflow shows shapes when zoomed out, and cards when the text is large enough to read', async () => {
  const owner = await app.signUp();
  const { path } = await drawWorkflow(owner, []);
  const nodes = Array.from({ length: 320 }, (_, i) => ({
    id: newId(),
    type: ['task', 'doc', 'decision', 'table'][i % 4],
    title: `Step ${i}`,
    positionX: (i % 40) * 280,
    positionY: Math.floor(i / 40) * 140,
  }));
  const edges = nodes.slice(1).map(({ id }, i) => ({ sourceId: nodes[i]!.id, targetId: id }));
  await owner.call('PUT', `/${path}/graph`, { nodes, edges });

  const page = await owner.open(path);
  await page.getByText('Zoom in to see and change the nodes').waitFor();
  expect(await page.locator('.react-flow__node').count()).toBe(0);
  await checkAccessible(page);
  await page.getByRole('combobox', { name: 'Go to a node' }).fill('Step 217');
  await page.getByRole('option', { name: 'Step 217' }).click();
  await node(page, 'Step 217').waitFor();
  await page.getByRole('button', { name: 'Fit View' }).click();
  await page.getByText('Zoom in to see and change the nodes').waitFor();
  await arrange(page, 'From left to right');
  await page.getByText('Saved').waitFor();
  await page.getByText('Zoom in to see and change the nodes').waitFor();
  await page.goto(`/w/${owner.workspaceId}/${path}?node=${nodes[217]!.id}`);
  await page.getByRole('region', { name: 'Step 217' }).waitFor();
  await node(page, 'Step 217').waitFor();
});

it('the canvas still shows nodes in a window that becomes much lower', async () => {
  const owner = await app.signUp();
  const { path } = await drawWorkflow(owner, ['Plan']);
  const page = await owner.open(path, { width: 360, height: 2_000 });
  await node(page, 'Plan').waitFor();
  await page.setViewportSize({ width: 1_280, height: 800 });
  await node(page, 'Plan').click({ trial: true });
});

it('the label of an edge covers no node, however near the nodes are', async () => {
  const owner = await app.signUp();
  const { path } = await drawWorkflow(owner, []);
  const nodes = Array.from({ length: 9 }, (_, i) => ({
    ...{ id: newId(), type: 'task', title: `Step ${i}` },
    ...{ positionX: (i % 3) * 285, positionY: Math.floor(i / 3) * 160 + (i % 3) * 40 },
  }));
  const pairs = [
    [0, 1],
    [1, 2],
    [3, 7],
    [5, 1],
    [6, 4],
    [8, 0],
  ] as const;
  const edges = pairs.map(([from, to]) => ({
    ...{ sourceId: nodes[from]!.id, targetId: nodes[to]!.id, condition: { p99_ms: { at_most: 50 } } },
  }));
  await owner.call('PUT', `/${path}/graph`, { nodes, edges });
  const page = await owner.open(path);
  const labels = page.locator('.react-flow__edge-textwrapper');
  await labels.nth(5).waitFor();
  const boxesOf = (parts: Locator) =>
    parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().toJSON() as DOMRect));
  const cards = await boxesOf(page.locator('.react-flow__node'));
  const covered = (await boxesOf(labels)).filter((label) =>
    cards.some(
      (card) =>
        label.left < card.right &&
        label.right > card.left &&
        label.top < card.bottom &&
        label.bottom > card.top,
    ),
  );
  expect(covered).toEqual([]);

  // Panning moves the six labels with the canvas, and reads no nodes for them.
  const reads = await page.evaluate(async () => {
    let count = 0;
    const { values } = Map.prototype;
    Map.prototype.values = function () {
      count += 1;
      return values.call(this);
    };
    document
      .querySelector('.react-flow__pane')!
      .dispatchEvent(new WheelEvent('wheel', { deltaY: 20, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    Map.prototype.values = values;
    return count;
  });
  expect(reads).toBeLessThan(6);
});

async function arrange(page: Page, direction: string): Promise<void> {
  await page.getByRole('button', { name: 'Arrange' }).click();
  await page.getByRole('menuitem', { name: direction }).click();
}

/** Returns the edges that have a point inside of a node, on the screen. */
function edgesThroughNodes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.react-flow__node')].map((one) =>
      one.getBoundingClientRect(),
    );
    const isInside = ({ x, y }: DOMPoint) =>
      boxes.some((box) => x > box.left + 2 && x < box.right - 2 && y > box.top + 2 && y < box.bottom - 2);
    return [...document.querySelectorAll<SVGPathElement>('.react-flow__edge-path')].flatMap((path) => {
      const steps = Array.from({ length: 101 }, (_, i) => (path.getTotalLength() * i) / 100);
      const points = steps.map((at) => path.getPointAtLength(at).matrixTransform(path.getScreenCTM()!));
      return points.some(isInside) ? [path.closest('.react-flow__edge')!.getAttribute('aria-label')!] : [];
    });
  });
}

/** The nodes that the minimap covers. */
function underMinimap(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => {
    const map = document.querySelector('.react-flow__minimap')!.getBoundingClientRect();
    return [...document.querySelectorAll('.react-flow__node')].flatMap((one) => {
      const box = one.getBoundingClientRect();
      return box.right > map.left && box.bottom > map.top ? [one.textContent] : [];
    });
  });
}
