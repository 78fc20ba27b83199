import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { drawWorkflow, edge, node, openWorkflow } from './support/draw-workflow.ts';
import {
  checkAccessible,
  focused,
  focusedInDialog,
  runClockUntil,
  startRelay,
  useConsole,
} from './support/index.ts';

const app = useConsole();

/** Opens a workflow with these nodes in two browsers: as the owner and as a member. */
async function bothOn(titles: string[]) {
  const owner = await app.signUp();
  const member = await owner.addMember('member', 'Grace Hopper');
  const drawn = await drawWorkflow(owner, titles);
  const open = ({ open }: typeof owner) => open(drawn.path, { ownClock: true });
  const [ada, grace] = await Promise.all([open(owner), open(member)]);
  await Promise.all([ada, grace].map((page) => page.getByText('Live', { exact: true }).waitFor()));
  return { ada, grace, owner, ...drawn };
}

it('two people on one workflow see who else is there and the changes of the other, and undo only their own', async () => {
  const { ada, grace } = await bothOn(['Plan', 'Build']);
  const alsoHere = ada.getByRole('list', { name: 'Also here' }).getByRole('listitem');
  await runClockUntil(alsoHere.filter({ hasText: 'Grace Hopper' }));
  expect(await alsoHere.count()).toBe(1);
  await checkAccessible(ada);
  const from = node(ada, 'Plan').locator('.react-flow__handle.source');
  await from.dragTo(node(ada, 'Build').locator('.react-flow__handle.target'));
  await edge(grace, 'Plan', 'Build').waitFor({ state: 'attached' });

  await node(grace, 'Build').click();
  await grace.getByLabel('Title').fill('Build and test');
  await grace.getByLabel('Status').selectOption('Done');
  await grace.getByRole('button', { name: 'Save', exact: true }).click();
  await node(ada, 'Build and test').getByText('Done').waitFor();
  await grace.clock.runFor(3_000);
  await alsoHere.filter({ hasText: 'Grace Hopper, at “Build and test”' }).waitFor();

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
  await grace.close({ runBeforeUnload: true });
  await alsoHere.first().waitFor({ state: 'detached' });
});

it('two people on one workflow are asked about each field when they change the same one, and nothing is lost', async () => {
  const { ada, grace, owner, ids, graph } = await bothOn(['Plan']);
  await node(ada, 'Plan').click();
  await ada.getByLabel('Title').fill('Plan the year');
  await ada.getByRole('combobox', { name: 'Assigned to' }).fill('Ada');
  await node(grace, 'Plan').click();
  await grace.getByLabel('Title').fill('Plan the month');
  await grace.getByLabel('Status').selectOption('To do');
  await grace.getByRole('button', { name: 'Save', exact: true }).click();

  const theirs = ada.getByRole('alert').filter({ hasText: 'Somebody changed this node meanwhile' });
  await theirs.getByText('Title (theirs): Plan the month').waitFor();
  await ada.getByRole('button', { name: 'Save mine' }).waitFor();
  // Closes the suggestions.
  await ada.getByRole('textbox', { name: 'Title' }).focus();
  await checkAccessible(ada);
  await theirs.getByRole('button', { name: 'Take theirs: Title' }).click();
  await theirs.waitFor({ state: 'detached' });
  await focused(ada.getByRole('textbox', { name: 'Title' }));
  await ada.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(async () =>
    expect((await graph()).nodes).toMatchObject([
      { title: 'Plan the month', status: 'todo', assigned_to: 'Ada' },
    ]),
  );
  await node(grace, 'Plan the month').getByText('Ada').waitFor();

  await ada.getByLabel('Title').fill('Plan the year');
  await grace.getByLabel('Title').fill('Plan the week');
  await grace.getByLabel('Status').selectOption('Done');
  await grace.getByRole('button', { name: 'Save', exact: true }).click();
  await theirs.getByText('Title (theirs): Plan the week').waitFor();
  const isHeld = Promise.withResolvers<void>();
  await ada.route('**/v1/nodes/*', (route) => isHeld.promise.then(() => route.continue()), { times: 1 });
  await ada.getByRole('button', { name: 'Save mine' }).click();
  // The form has the status of the other at once.
  await theirs.waitFor({ state: 'detached' });
  expect(await ada.getByLabel('Status').inputValue()).toBe('done');
  isHeld.resolve();
  await node(grace, 'Plan the year').getByText('Done').waitFor();
  await ada.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });

  // Somebody changes the title while the request is under way.
  await ada.route(
    '**/v1/nodes/*',
    async (route) => {
      await owner.call('PATCH', `/nodes/${ids['Plan']}`, { title: 'Plan the day' });
      await route.continue();
    },
    { times: 1 },
  );
  await ada.getByLabel('Title').fill('Plan the decade');
  await ada.getByRole('button', { name: 'Save', exact: true }).click();
  await theirs.getByText('Title (theirs): Plan the day').waitFor();
  expect(await ada.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Plan the decade');
  await ada.getByRole('button', { name: 'Save mine' }).click();
  await node(grace, 'Plan the decade').waitFor();
});

it('two people on one workflow see new messages in the thread, and their number on each node', async () => {
  const { ada, grace, owner, ids } = await bothOn(['Plan', 'Build']);
  const both = [ada, grace];
  const countOn = (title: string, count: string) =>
    Promise.all(
      both.map((page) => runClockUntil(node(page, title).getByRole('img', { name: count, exact: true }))),
    );
  for (const page of both) {
    await node(page, 'Plan').click();
    await page.getByRole('tab', { name: 'Discussion' }).click();
    await page.getByText('No messages yet').waitFor();
    await page.getByRole('button', { name: 'Write a message' }).click();
  }
  await ada.getByLabel('New message').fill('Is this *still* the plan?');
  await ada.getByRole('button', { name: 'Post' }).click();
  await grace.locator('li em', { hasText: 'still' }).waitFor();
  expect(await grace.getByRole('button', { name: /^More actions for the message/ }).count()).toBe(1);
  await grace.getByRole('button', { name: /^More actions for the message/ }).click();
  expect(await grace.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await grace.keyboard.press('Escape');
  await countOn('Plan', '1 message');
  expect(await node(ada, 'Build').getByRole('img').count()).toBe(0);
  await checkAccessible(ada);

  // A refusal of the next message does not clear the draft.
  await ada.getByRole('button', { name: 'Write a message' }).click();
  await ada.getByLabel('New message').fill('Then let us');
  await ada.route('**/v1/threads/*', (route) =>
    route.fulfill({ status: 403, json: { error: 'FORBIDDEN', message: 'Not for you.' } }),
  );
  await grace.getByLabel('New message').fill('It is.');
  await grace.getByRole('button', { name: 'Post' }).click();
  await runClockUntil(ada.getByText('Your role does not allow this'));
  expect(await ada.getByLabel('New message').inputValue()).toBe('Then let us');
  await ada.unrouteAll();
  await ada.getByLabel('New message').fill('');

  const thread = `/threads/${ids['Build']}`;
  const { message } = await owner.call('POST', thread, { content: 'Why?' });
  await owner.call('POST', thread, { content: 'Why not?' });
  await countOn('Build', '2 messages');
  await owner.call('DELETE', `${thread}/messages/${message.id}`);
  await countOn('Build', '1 message');
  await ada.reload();
  await countOn('Build', '1 message');
  await countOn('Plan', '2 messages');

  // An undone deletion restores the node without its messages.
  await node(ada, 'Build').focus();
  await ada.keyboard.press('Delete');
  await ada.getByRole('dialog').getByRole('button', { name: 'Delete node' }).click();
  await node(grace, 'Build').waitFor({ state: 'detached' });
  await ada.getByRole('button', { name: 'Undo' }).click();
  await Promise.all(both.map((page) => node(page, 'Build').waitFor()));
  for (const page of both) expect(await node(page, 'Build').getByRole('img').count()).toBe(0);
});

it('a typed condition is not lost when the panel closes or somebody deletes the edge', async () => {
  const { owner, page, graph } = await openWorkflow(app, ['Plan', 'Build'], ['Plan>Build']);
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
  await owner.call('DELETE', '/edges', undefined, { query });
  await page.getByText('Somebody deleted this edge').waitFor();
  await page.getByText('{ "when": "approved" }').waitFor();
});

it('a workflow shows changes that others made while the page loaded', async () => {
  const owner = await app.signUp();
  const { ids } = await drawWorkflow(owner, ['Plan']);
  const page = await owner.open('workflows');
  const isRead = Promise.withResolvers<void>();
  await page.route('**/v1/events?*', async (route) => {
    await isRead.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Release' }).click();
  await node(page, 'Plan').waitFor();
  await owner.call('PATCH', `/nodes/${ids['Plan']}`, { title: 'Plan the year' });
  isRead.resolve();
  await node(page, 'Plan the year').waitFor();
});

it('a workflow resumes a broken stream without missing events', async () => {
  const owner = await app.signUp();
  const { path, ids } = await drawWorkflow(owner, ['Plan', 'Build']);
  const relay = await startRelay(app.product.url);
  const page = await app.visit(`${relay.url}/w/${owner.workspaceId}/${path}`, owner);
  const live = page.getByText('Live', { exact: true });
  await live.waitFor();
  const change = (title: string, to: string) => owner.call('PATCH', `/nodes/${ids[title]}`, { title: to });
  // The change arrives by the stream, so the page has loaded its initial data.
  await change('Build', 'Build it');
  await node(page, 'Build it').waitFor();

  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let told = '';
  devtools.on('Network.eventSourceMessageReceived', ({ data }) => {
    told += data;
  });
  relay.setCut(true);
  await live.waitFor({ state: 'detached' });
  await change('Plan', 'Plan the year');
  await change('Build', 'Build all of it');
  const again = page.waitForRequest('**/v1/events?*');
  relay.setCut(false);
  await node(page, 'Plan the year').waitFor();
  await node(page, 'Build all of it').waitFor();
  await live.waitFor();
  expect((await (await again).allHeaders())['last-event-id']).toMatch(/-\d+$/);
  await eventually(() => {
    for (const said of ['"resumed":true', ...Object.values(ids)]) expect(told).toContain(said);
  });
  relay.stop();
});

it('a workflow asks to sign in again on the same page when the session ends, and is live again', async () => {
  const { owner, page, ids } = await openWorkflow(app, ['Plan', 'Build']);
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
    expect(await focusedInDialog(page)).toBe('Password');
    await dialog.getByLabel(/^Password/).fill(owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await live.waitFor();
  };
  await signIn();

  await node(page, 'Plan').click();
  await page.getByLabel('Title').fill('Plan the year');
  await page.context().clearCookies();
  await owner.call('PATCH', `/nodes/${ids['Build']}`, { title: 'Build it' });
  await dialog.waitFor();
  await signIn();
  await node(page, 'Build it').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('Plan the year');
});
