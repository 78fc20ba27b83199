import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { drawWorkflow, edge, node } from './support/draw-workflow.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('the list of workflows', () => {
  it('opens an empty canvas for a new workflow', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/workflows`, { cookie: owner.cookie });
    await page.getByText('No workflows yet').waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'New workflow' }).click();
    await page.getByLabel('Title').fill('Hiring');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Create workflow' }).click();
    await page.getByRole('heading', { name: 'Hiring', level: 1 }).waitFor();
    await page.getByText('An empty canvas').waitFor();
    await checkAccessible(page);
  });

  it('renames and deletes', async () => {
    const { owner } = await drawWorkflow(app.product, []);
    const page = await app.visit(`/w/${owner.workspaceId}/workflows`, { cookie: owner.cookie });
    await page.getByRole('button', { name: 'Rename Release' }).click();
    await page.getByLabel('Title').fill('Releases');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Releases' }).waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Delete Releases' }).click();
    await page.getByRole('button', { name: 'Delete workflow' }).click();
    await page.getByText('No workflows yet').waitFor();
  });
});

describe('the canvas', () => {
  it('adds, moves, connects and edits nodes, and undoes and redoes each change', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Design']);
    const page = await app.visit(path, { cookie: owner.cookie });
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
    await checkAccessible(page);
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

  it('offers and draws all seven kinds of nodes and all six statuses', async () => {
    const statuses = ['Backlog', 'To do', 'In progress', 'In review', 'Done', 'Cancelled'];
    const kinds = ['Task', 'Document', 'Table', 'Thread', 'Decision', 'Automation', 'Pulse'];
    const { owner, path, ids, graph } = await drawWorkflow(app.product, statuses);
    for (const title of statuses) {
      const body = { status: title.toLowerCase().replace('to do', 'todo').replace(' ', '_') };
      const { status } = await app.product.call('PATCH', `/nodes/${ids[title]}`, {
        cookie: owner.cookie,
        body,
      });
      expect(status).toBe(200);
    }
    const page = await app.visit(path, { cookie: owner.cookie });
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

  it('can be used by keyboard only', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['First', 'Second']);
    const page = await app.visit(path, { cookie: owner.cookie });
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
    await node(page, 'Started').and(page.locator(':focus')).waitFor();
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

  it('arranges the nodes along the edges in a single write, which one undo reverts', async () => {
    const { owner, path, graph, workflowId } = await drawWorkflow(
      app.product,
      ['C', 'A', 'B'],
      ['A>B', 'B>C'],
    );
    const page = await app.visit(path, { cookie: owner.cookie });
    const places = async () =>
      Object.fromEntries((await graph()).nodes.map(({ title, position_x }) => [title, position_x as number]));
    const before = await places();
    const writes: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // That somebody views the workflow is stored nowhere.
      if (request.method() !== 'GET' && pathname !== '/v1/presence')
        writes.push(`${request.method()} ${pathname}`);
    });
    await page.getByRole('button', { name: 'Arrange' }).click();
    await eventually(async () => {
      const { A, B, C } = await places();
      expect(A).toBeLessThan(B!);
      expect(B).toBeLessThan(C!);
    });
    expect(writes).toEqual([`PUT /v1/workflows/${workflowId}/graph`]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await places()).toEqual(before));
  });

  it('shows the cycle that an acyclic workflow refuses', async () => {
    const { owner, path, ids, graph } = await drawWorkflow(
      app.product,
      ['Plan', 'Build', 'Ship'],
      ['Plan>Build', 'Build>Ship'],
      {
        acyclic: true,
      },
    );
    const page = await app.visit(path, { cookie: owner.cookie });
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
});

describe('an outage', () => {
  it('asks for confirmation before the user leaves with unsaved changes', async () => {
    const { owner, path, ids, graph } = await drawWorkflow(app.product, ['Design']);
    const page = await app.visit(path, { cookie: owner.cookie });
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
});

describe('the thread of a node', () => {
  it('posts, edits and deletes messages in Markdown', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Design']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await node(page, 'Design').click();
    await page.getByRole('tab', { name: 'Thread' }).click();
    await page.getByText('No messages yet').waitFor();
    await page.getByLabel('New message').fill('Ship it **today**, <img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await page.getByRole('link', { name: 'All workflows' }).click();
    await page.getByRole('button', { name: 'Continue editing' }).click();
    await node(page, 'Design').click();
    await page.getByRole('tab', { name: 'Thread' }).click();
    await page.getByRole('button', { name: 'Post' }).click();
    await page.locator('li strong', { hasText: 'today' }).waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Message, in Markdown', { exact: true }).fill('Ship it *tomorrow*');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('li em', { hasText: 'tomorrow' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.getByText('No messages yet').waitFor();
  });
});

describe('a viewer', () => {
  it('sees the graph and cannot change it', async () => {
    const { owner, path } = await drawWorkflow(app.product, ['Design', 'Build'], ['Design>Build']);
    const viewer = await app.product.signUp('Vera Viewer');
    const memberId = await app.product.addMember(owner, viewer, 'viewer');
    const page = await app.visit(path, { cookie: viewer.cookie });
    await node(page, 'Design').click();
    await page.getByText('Assigned to: nobody').waitFor();
    expect(await page.getByRole('button', { name: /Add node|Undo|Arrange|Delete/ }).count()).toBe(0);
    // Screen readers are told only the keys that do something.
    await page.getByText('Enter opens the node.').waitFor({ state: 'attached' });
    expect(await page.getByText('Delete removes it').count()).toBe(0);
    await checkAccessible(page);

    await page.getByText('Live', { exact: true }).waitFor();
    await app.product.call('DELETE', `/members/${memberId}`, { cookie: owner.cookie });
    await page.getByText('No access').waitFor();
    await page.getByText('Your role does not allow this').waitFor();
  });
});

describe('a large workflow', () => {
  it('shows shapes when zoomed out, and cards when the text is large enough to read', async () => {
    const { owner, path, workflowId } = await drawWorkflow(app.product, []);
    const nodes = Array.from({ length: 320 }, (_, i) => ({
      id: newId(),
      type: ['task', 'doc', 'decision', 'table'][i % 4],
      title: `Step ${i}`,
      positionX: (i % 40) * 280,
      positionY: Math.floor(i / 40) * 140,
    }));
    const edges = nodes.slice(1).map(({ id }, i) => ({ sourceId: nodes[i]!.id, targetId: id }));
    const drawing = { cookie: owner.cookie, body: { nodes, edges }, headers: { 'If-Match': '*' } };
    expect((await app.product.call('PUT', `/workflows/${workflowId}/graph`, drawing)).status).toBe(200);

    const page = await app.visit(path, { cookie: owner.cookie });
    await page.getByText('Zoom in to see and change the nodes').waitFor();
    expect(await page.locator('.react-flow__node').count()).toBe(0);
    await checkAccessible(page);
    await page.getByRole('combobox', { name: 'Go to a node' }).fill('Step 217');
    await page.getByRole('option', { name: 'Step 217' }).click();
    await node(page, 'Step 217').waitFor();
    await page.getByRole('button', { name: 'Fit View' }).click();
    await page.getByText('Zoom in to see and change the nodes').waitFor();
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByText('Zoom in to see and change the nodes').waitFor();
    await page.goto(`${path}?node=${nodes[217]!.id}`);
    await page.getByRole('region', { name: 'Step 217' }).waitFor();
    await node(page, 'Step 217').waitFor();
  });
});
