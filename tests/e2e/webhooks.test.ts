import { afterAll, expect, it } from '@jest/globals';
import { answer, eventually, startWebhookReceiver } from '@waymark/testing';
import { checkAccessible, copiedText, focused, openMore, type Person, useConsole } from './support/index.ts';

const app = useConsole();

const receiver = await startWebhookReceiver();
afterAll(() => receiver.stop());

const createEndpoint = async (owner: Person): Promise<string> =>
  (await owner.call('POST', '/webhooks', { url: receiver.url, events: ['decision.created'] })).id;

it('webhooks are created with a secret that is shown once, edited, disabled, tested and deleted', async () => {
  const page = await (await app.signUp()).open('webhooks');
  await page.getByText('No webhook endpoints yet').waitFor();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('Address').fill(`${receiver.url}/hook`);
  await dialog.getByLabel('Find an event').fill('thread');
  const threads = dialog.getByRole('group', { name: 'discussion' }).getByLabel(/^All of these/);
  await threads.check();
  await dialog.getByText(/^[4-9] of \d+ chosen/).waitFor();
  await threads.uncheck();
  await dialog.getByLabel('Find an event').fill('member');
  await dialog.getByLabel(/^workspace.member_added/).check();
  await checkAccessible(page);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await dialog.getByLabel('signing secret', { exact: true }).textContent();
  expect(secret).toMatch(/^whsec_/);
  expect(await copiedText(page, dialog.getByRole('button', { name: 'Copy', exact: true }))).toBe(secret);
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await page.waitForURL(/webhooks\/[\w-]+$/);
  await page.goBack();
  await page.getByText('3 kinds').waitFor();
  await page.goForward();
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the endpoint' });
  await edit.getByLabel('Description').fill('The bridge desk');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await focused(edit.getByLabel('Description'));
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The bridge desk').waitFor();
  await focused(page.getByRole('button', { name: 'Edit' }));

  await openMore(page);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate the secret' });
  await rotation.getByRole('button', { name: 'Create a new secret' }).click();
  await rotation.getByLabel('signing secret', { exact: true }).waitFor();
  await rotation.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('Its secret is being replaced').waitFor();
  await openMore(page);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await rotation.getByRole('button', { name: 'Promote the new secret' }).click();
  await page.getByText('Its secret is being replaced').waitFor({ state: 'detached' });

  await openMore(page);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByText('The endpoint is disabled').waitFor();
  await openMore(page);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('The endpoint is enabled').waitFor();

  const test = page.getByRole('dialog', { name: 'Send a test' });
  await page.getByRole('button', { name: 'Send a test' }).click();
  await checkAccessible(page);
  await test.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'ping' }).waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Response time by hour').waitFor();
  await page.evaluate(() => window.scrollTo({ top: 10 }));
  await test.getByLabel('Event').fill('member');
  await page.getByRole('listbox').getByRole('option', { name: 'workspace.member_added' }).click();
  await test.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'workspace.member_added' }).click();
  await page.getByRole('heading', { name: 'Delivery of workspace.member_added' }).waitFor();
  await page.getByText('delivered').waitFor();
  await page.getByText('200', { exact: true }).waitFor();
  await page.getByText(/created .*\d:\d\d:\d\d/).waitFor();
  await checkAccessible(page);
  await page.goBack();
  await openMore(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhook endpoints yet').waitFor();
});

it('a test of a webhook is a success only if the endpoint accepts it', async () => {
  const owner = await app.signUp();
  const page = await owner.open(`webhooks/${await createEndpoint(owner)}`);
  receiver.behave(answer(500));
  await page.getByRole('button', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByRole('alert').getByText('The endpoint answered 500').waitFor();
  await checkAccessible(page);
  receiver.behave(answer(204));
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The endpoint answered 204').waitFor();
  await dialog.waitFor({ state: 'detached' });
});

it('messages to a chat are set up with events for people, and the address is shown in the form only', async () => {
  const owner = await app.signUp();
  const page = await owner.open('webhooks#new');
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('Sends').selectOption('Messages to Microsoft Teams');
  await dialog.getByText('Send webhook alerts to a channel').waitFor();
  await dialog.getByLabel('Sends').selectOption('Messages to Slack');
  await dialog.getByText('Incoming Webhooks').waitFor();
  await dialog.getByText(/^8 of \d+ chosen/).waitFor();
  expect(await dialog.getByLabel('Maximum per second').inputValue()).toBe('1');
  const address = `${receiver.url}/services/T0/secret-wxyz`;
  await dialog.getByLabel('Address').fill(address);
  await checkAccessible(page);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const shown = page.getByText(`${receiver.url}/…wxyz`, { exact: true });
  await shown.waitFor();

  receiver.behave(answer(200));
  await owner.decide('Which <b>chat</b>');
  await page.getByRole('link', { name: 'decision.created' }).click();
  await page.getByText('Which &lt;b&gt;chat&lt;/b&gt;').waitFor();
  await page.getByText('POST http').waitFor();
  expect(await page.getByText('secret-wxyz').count()).toBe(0);
  await page.goBack();
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the endpoint' });
  expect(await edit.getByLabel('Address').inputValue()).toBe(address);
});

it('webhooks show failures with their causes, with filters that survive a reload, and replay many deliveries', async () => {
  const owner = await app.signUp();
  const id = await createEndpoint(owner);
  receiver.behave(answer(400, { body: 'the field amount is missing' }));
  for (const title of ['First', 'Second']) await owner.decide(title);
  const stats = () => owner.call('GET', `/webhooks/${id}/stats`);
  await eventually(async () => expect(await stats()).toMatchObject({ failed: 2 }));

  const page = await owner.open(`webhooks/${id}`);
  await page.getByRole('link', { name: 'decision.created' }).first().waitFor();
  await page.locator('[data-count="failed"]').getByText('2', { exact: true }).waitFor();
  const statuses = await page.getByLabel('Status').getByRole('option').allTextContents();
  expect(statuses).toEqual(['All', 'pending', 'delivered', 'failed', 'held']);
  await page.getByLabel('Status').selectOption('delivered');
  await page.getByText('No deliveries match the filters').waitFor();
  await page.getByLabel('Status').selectOption('failed');
  await page.getByLabel('Event', { exact: true }).selectOption('ping');
  await page.getByText('No deliveries match the filters').waitFor();
  await page.getByLabel('Event', { exact: true }).selectOption('decision.created');
  // When the chart loads late, the list must not move while the user clicks a delivery.
  const isListed = Promise.withResolvers<void>();
  await page.route(`**/v1/webhooks/${id}/stats?*`, async (route) => {
    await isListed.promise;
    return route.continue();
  });
  await page.reload();
  const link = page.getByRole('link', { name: 'decision.created' }).first();
  await link.waitFor();
  const place = await link.boundingBox();
  isListed.resolve();
  await page.getByText('Response time by hour').waitFor();
  await page.getByRole('img', { name: 'Attempts per hour by result' }).waitFor();
  expect(await link.boundingBox()).toEqual(place);
  await checkAccessible(page);
  await link.click();
  await page.getByText('the field amount is missing').waitFor();
  await page.getByText('400', { exact: true }).waitFor();
  const body = await page.getByLabel('Body of the request').textContent();
  expect(JSON.parse(body!)).toMatchObject({ type: 'decision.created' });
  const deliveryId = new URL(page.url()).pathname.split('/').at(-1);
  const { headers } = receiver.requests.find((one) => one.headers['x-waymark-delivery'] === deliveryId)!;
  const sent = page.getByRole('region', { name: 'Sent in attempt 1' });
  await sent.getByText(`POST ${receiver.url}`).waitFor();
  expect(await sent.textContent()).toContain(`webhook-signature: ${headers['webhook-signature']}`);
  expect(await page.getByRole('region', { name: 'Answered in attempt 1' }).textContent()).toMatch(/\ndate: /);
  await checkAccessible(page);
  await page.goBack();

  receiver.behave(answer(200));
  await page.getByRole('button', { name: 'Replay deliveries' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay deliveries' });
  await checkAccessible(page);
  // One request replays some thousands. The first answer reports a remainder; the second waits until the
  // progress was seen.
  const isSeen = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(`**/v1/webhooks/${id}/replay?*`, async (route) => {
    calls += 1;
    const since = (route.request().postDataJSON() as { since: string }).since;
    if (calls === 1) return route.fulfill({ json: { replayed: 5_000, next_since: since } });
    await isSeen.promise;
    return route.continue();
  });
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('5,000 so far').waitFor();
  await dialog.getByRole('progressbar', { name: 'Sending again' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await page.getByText('The request continues.').waitFor();
  isSeen.resolve();
  await page.getByText('5,002 deliveries are being sent again').waitFor();
  await eventually(async () => expect(await stats()).toMatchObject({ delivered: 2, failed: 0 }));

  await page.getByLabel('Status').selectOption('All');
  const before = receiver.requests.length;
  await page.getByRole('button', { name: 'Send again: decision.created' }).first().click();
  await eventually(() => expect(receiver.requests).toHaveLength(before + 1));
  const sentBefore = receiver.requests.slice(0, before).map(({ headers }) => headers['x-waymark-delivery']);
  expect(sentBefore).toContain(receiver.requests[before]!.headers['x-waymark-delivery']);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('cell', { name: 'delivery.replay' }).waitFor();
});
