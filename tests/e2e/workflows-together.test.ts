import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { drawWorkflow, edge, node } from './support/draw-workflow.ts';
import { focusedInDialog } from './support/focused-in-dialog.ts';
import { startRelay } from './support/start-relay.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** Opens a workflow in two browsers: as the owner and as a member. */
async function bothOn({ owner, path }: Awaited<ReturnType<typeof drawWorkflow>>) {
  const member = await app.product.signUp('Grace Hopper');
  await app.product.addMember(owner, member, 'member');
  const pages = await Promise.all([owner, member].map(({ cookie }) => app.visit(path, { cookie })));
  await Promise.all(pages.map((page) => page.getByText('Live', { exact: true }).waitFor()));
  return { ada: pages[0]!, grace: pages[1]! };
}

describe('two people on one workflow', () => {
  it('see the changes of the other, and undo only their own', async () => {
    const drawn = await drawWorkflow(app.product, ['Plan', 'Build']);
    const { ada, grace } = await bothOn(drawn);
    const from = node(ada, 'Plan').locator('.react-flow__handle.source');
    await from.dragTo(node(ada, 'Build').locator('.react-flow__handle.target'));
    await edge(grace, 'Plan', 'Build').waitFor({ state: 'attached' });

    await node(grace, 'Build').click();
    await grace.getByLabel('Title').fill('Build and test');
    await grace.getByLabel('Status').selectOption('Done');
    await grace.getByRole('button', { name: 'Save', exact: true }).click();
    await node(ada, 'Build and test').getByText('Done').waitFor();

    await node(ada, 'Build and test').click();
    await ada.getByLabel('Title').fill('Compile');
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    await node(grace, 'Compile').waitFor();
    await grace.getByRole('button', { name: 'Undo' }).click();
    await grace.getByText('Somebody else has changed one item since').waitFor();
    // Undo reverts the status, which only Grace changed, and keeps the title, which Ada has changed since.
    await node(ada, 'Compile').getByText('Backlog').waitFor();
    await node(ada, 'Plan').focus();
    await ada.keyboard.press('Delete');
    await ada.getByRole('dialog').getByRole('button', { name: 'Delete node' }).click();
    await node(grace, 'Plan').waitFor({ state: 'detached' });
  });

  it('see who else is there, at which node, until they leave', async () => {
    const drawn = await drawWorkflow(app.product, ['Plan', 'Build']);
    const { ada, grace } = await bothOn(drawn);
    const alsoHere = ada.getByRole('list', { name: 'Also here' }).getByRole('listitem');
    await alsoHere.filter({ hasText: 'Grace Hopper' }).waitFor();
    expect(await alsoHere.count()).toBe(1);
    await checkAccessible(ada);
    await node(grace, 'Build').click();
    await alsoHere.filter({ hasText: 'Grace Hopper, at “Build”' }).waitFor();
    await grace.close({ runBeforeUnload: true });
    await alsoHere.first().waitFor({ state: 'detached' });
  });

  it('are asked about each field when they change the same one, and nothing is lost', async () => {
    const drawn = await drawWorkflow(app.product, ['Plan']);
    const { ada, grace } = await bothOn(drawn);
    await node(ada, 'Plan').click();
    await ada.getByLabel('Title').fill('Plan the year');
    await ada.getByRole('combobox', { name: 'Assigned to' }).fill('Ada');
    await node(grace, 'Plan').click();
    await grace.getByLabel('Title').fill('Plan the month');
    await grace.getByLabel('Status').selectOption('To do');
    await grace.getByRole('button', { name: 'Save', exact: true }).click();

    await ada.getByText('Somebody changed this node meanwhile').waitFor();
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = ada.getByRole('dialog', { name: 'Somebody else changed this node while you edited it' });
    await dialog.getByText('Plan the year').waitFor();
    await dialog.getByText('Plan the month').waitFor();
    await checkAccessible(ada);
    expect(await focusedInDialog(ada)).toBe('Yours');
    await dialog.getByLabel('Theirs').check();
    await dialog.getByRole('button', { name: 'Save this' }).click();
    await eventually(async () =>
      expect((await drawn.graph()).nodes).toMatchObject([
        { title: 'Plan the month', status: 'todo', assigned_to: 'Ada' },
      ]),
    );
    await node(grace, 'Plan the month').getByText('Ada').waitFor();
  });

  it('lose no typed condition when the panel closes or the edge is deleted', async () => {
    const { owner, path, graph } = await drawWorkflow(app.product, ['Plan', 'Build'], ['Plan>Build']);
    const page = await app.visit(path, { cookie: owner.cookie });
    await page.getByText('Live', { exact: true }).waitFor();
    const condition = page.getByLabel('Condition');
    const open = async () => {
      await edge(page, 'Plan', 'Build').focus();
      await page.keyboard.press('Enter');
    };
    await open();
    await condition.fill('{ "when": "approved" }');
    await page.keyboard.press('Escape');
    await condition.waitFor({ state: 'detached' });
    await open();
    expect(await condition.inputValue()).toBe('{ "when": "approved" }');
    const query = { id: String((await graph()).edges[0]!['id']) };
    expect((await app.product.call('DELETE', '/edges', { cookie: owner.cookie, query })).status).toBe(200);
    await page.getByText('Somebody deleted this edge').waitFor();
    await page.getByText('{ "when": "approved" }').waitFor();
  });

  it('see new messages in the thread', async () => {
    const { ada, grace } = await bothOn(await drawWorkflow(app.product, ['Plan']));
    for (const page of [ada, grace]) {
      await node(page, 'Plan').click();
      await page.getByRole('tab', { name: 'Thread' }).click();
      await page.getByText('No messages yet').waitFor();
    }
    await ada.getByLabel('New message').fill('Is this *still* the plan?');
    await ada.getByRole('button', { name: 'Post' }).click();
    await grace.locator('li em', { hasText: 'still' }).waitFor();
    expect(await grace.getByRole('button', { name: 'Edit' }).count()).toBe(0);

    // A refusal of the next message does not clear the draft.
    await ada.getByLabel('New message').fill('Then let us');
    await ada.route('**/v1/threads/*', (route) =>
      route.fulfill({ status: 403, json: { error: 'FORBIDDEN', message: 'Not for you.' } }),
    );
    await grace.getByLabel('New message').fill('It is.');
    await grace.getByRole('button', { name: 'Post' }).click();
    await ada.getByText('Your role does not allow this').waitFor();
    expect(await ada.getByLabel('New message').inputValue()).toBe('Then let us');
  });

  it('see the number of messages on each node, up to date', async () => {
    const drawn = await drawWorkflow(app.product, ['Plan', 'Build']);
    const post = async (title: string) => {
      const input = { cookie: drawn.owner.cookie, body: { content: 'Why?' } };
      const answer = await app.product.call('POST', `/threads/${drawn.ids[title]}`, input);
      expect(answer.status).toBe(201);
      return answer.body.message.id;
    };
    await post('Plan');
    const { ada, grace } = await bothOn(drawn);
    const countOn = (page: typeof ada, title: string, count: string) =>
      node(page, title).getByRole('img', { name: count, exact: true });
    await Promise.all([ada, grace].map((page) => countOn(page, 'Plan', '1 message').waitFor()));
    expect(await node(ada, 'Build').getByRole('img').count()).toBe(0);
    await checkAccessible(ada);
    const second = await post('Build');
    await post('Build');
    await Promise.all([ada, grace].map((page) => countOn(page, 'Build', '2 messages').waitFor()));
    const path = `/threads/${drawn.ids['Build']}/messages/${second}`;
    expect((await app.product.call('DELETE', path, { cookie: drawn.owner.cookie })).status).toBe(204);
    await Promise.all([ada, grace].map((page) => countOn(page, 'Build', '1 message').waitFor()));

    // An undone deletion restores the node without its messages.
    await node(ada, 'Build').focus();
    await ada.keyboard.press('Delete');
    await ada.getByRole('dialog').getByRole('button', { name: 'Delete node' }).click();
    await node(grace, 'Build').waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Undo' }).click();
    await Promise.all([ada, grace].map((page) => node(page, 'Build').waitFor()));
    expect(await node(ada, 'Build').getByRole('img').count()).toBe(0);
    expect(await node(grace, 'Build').getByRole('img').count()).toBe(0);
  });

  it('see changes that were made while the page loaded', async () => {
    const { owner, path, ids } = await drawWorkflow(app.product, ['Plan']);
    const page = await app.visit(path.replace(/[^/]+$/, ''), { cookie: owner.cookie });
    const isRead = Promise.withResolvers<void>();
    await page.route('**/v1/events?*', async (route) => {
      await isRead.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Release' }).click();
    await node(page, 'Plan').waitFor();
    const edit = { cookie: owner.cookie, body: { title: 'Plan the year' } };
    expect((await app.product.call('PATCH', `/nodes/${ids['Plan']}`, edit)).status).toBe(200);
    isRead.resolve();
    await node(page, 'Plan the year').waitFor();
  });

  it('resume a broken stream without missing events', async () => {
    const { owner, path, ids } = await drawWorkflow(app.product, ['Plan', 'Build']);
    const relay = await startRelay(app.product.url);
    const page = await app.visit(relay.url + path, { cookie: owner.cookie });
    const live = page.getByText('Live', { exact: true });
    await live.waitFor();
    const change = async (title: string, to: string) => {
      const edit = { cookie: owner.cookie, body: { title: to } };
      expect((await app.product.call('PATCH', `/nodes/${ids[title]}`, edit)).status).toBe(200);
    };
    // The change arrives by the stream, so the page has loaded its initial data.
    await change('Build', 'Build it');
    await node(page, 'Build it').waitFor();

    relay.cut();
    await live.waitFor({ state: 'detached' });
    await change('Plan', 'Plan the year');
    await change('Build', 'Build all of it');
    relay.mend();
    await node(page, 'Plan the year').waitFor();
    await node(page, 'Build all of it').waitFor();
    await live.waitFor();
    expect(relay.streams.map(({ lastEventId }) => lastEventId)).toEqual([
      undefined,
      expect.stringMatching(/-\d+$/),
    ]);
    await eventually(() => {
      const { told } = relay.streams[1]!;
      for (const said of ['"resumed":true', ...Object.values(ids)]) expect(told).toContain(said);
    });
    await relay.stop();
  });

  it('sign in again on the same page when the session ends, and receive live changes again', async () => {
    const { owner, path, ids } = await drawWorkflow(app.product, ['Plan', 'Build']);
    const page = await app.visit(path, { cookie: owner.cookie });
    const live = page.getByText('Live', { exact: true });
    await live.waitFor();
    const show = (state: string) =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await show('hidden');
    await live.waitFor({ state: 'detached' });
    await page.context().clearCookies();
    await show('visible');
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
    const signIn = async () => {
      expect(await focusedInDialog(page)).toBe('Email');
      await dialog.getByLabel(/^Password/).fill(owner.password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await live.waitFor();
    };
    await signIn();

    await node(page, 'Plan').click();
    await page.getByLabel('Title').fill('Plan the year');
    await page.context().clearCookies();
    const edit = { cookie: owner.cookie, body: { title: 'Build it' } };
    expect((await app.product.call('PATCH', `/nodes/${ids['Build']}`, edit)).status).toBe(200);
    await dialog.waitFor();
    await signIn();
    await node(page, 'Build it').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Plan the year');
  });
});
