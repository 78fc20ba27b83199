import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { createAccount } from './support/enter.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

describe('a new user', () => {
  it('signs up, creates a key, calls the API, receives a webhook, and finds all of it in the audit log', async () => {
    const page = await app.visit('/sign-up');
    await createAccount(page, 'Mary Ross', 'mary@example.com', 'sixth of the skunk works');
    await page.waitForURL('**/decisions');
    const workspaceId = /\/w\/([\w-]+)\//.exec(page.url())![1]!;

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('First key');
    await page.getByLabel('Read and write').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByLabel('API key', { exact: true }).textContent())!;
    await page.getByRole('button', { name: 'I have copied it' }).click();

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill(`${receiver.url}/first`);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();

    const body = { workspaceId, title: 'Fly to Mars' };
    expect((await app.product.call('POST', '/decisions', { key, body })).status).toBe(201);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await page.getByRole('button', { name: 'Send again: decision.created' }).click();
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    const [first, second] = receiver.requests.map(({ headers }) => headers['x-waymark-delivery']);
    expect(second).toBe(first);
    await page.getByRole('img', { name: 'Attempts per hour by result' }).waitFor();
    await checkAccessible(page);

    await eventually(async () => {
      const log = await app.product.call('GET', `/audit-log?workspaceId=${workspaceId}`, { key });
      expect(log.body.data[0].action).toBe('delivery.replay');
    });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: 'delivery.replay' }).waitFor();
    await page.getByRole('cell', { name: 'First key' }).first().waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Rate limits' }).click();
    await page.getByLabel('One key').selectOption({ index: 1 });
    await page
      .getByRole('region', { name: 'This key' })
      .getByText(/ of .* this minute/)
      .first()
      .waitFor();
    await checkAccessible(page);
  });

  it('invites a colleague, and both log a decision with its outcome, without help', async () => {
    const page = await app.visit('/sign-up');
    await createAccount(page, 'Katherine Johnson', 'katherine@example.com', 'orbits by hand and head');
    await page.getByRole('link', { name: 'Invite somebody' }).click();
    const invitation = page.getByRole('dialog', { name: 'Invite by link' });
    await invitation.getByLabel('Role').selectOption('Member: read and write');
    await invitation.getByRole('button', { name: 'Create the link' }).click();
    const link = (await invitation.getByLabel('link', { exact: true }).textContent())!;
    await invitation.getByRole('button', { name: 'I have copied it' }).click();

    const colleague = await app.visit(link);
    await colleague.getByText('Katherine Johnson invites you').waitFor();
    await createAccount(colleague, 'Dorothy Vaughan', 'dorothy@example.com', 'west area computing unit');
    await colleague.getByRole('link', { name: 'New decision' }).first().click();
    await colleague.getByLabel('Title').fill('Trust the machine');
    await colleague.getByRole('button', { name: 'Log decision' }).click();
    await colleague.getByRole('heading', { name: 'Trust the machine', level: 1 }).waitFor();

    await page.getByRole('link', { name: 'Decisions' }).click();
    await page.getByRole('link', { name: 'Trust the machine' }).click();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('button', { name: 'Log outcome' }).click();
    const outcome = page.getByRole('dialog', { name: 'Log the outcome' });
    await outcome.getByLabel('Outcome').selectOption('success');
    await outcome.getByRole('button', { name: 'Log outcome' }).click();
    const outcomes = colleague.getByRole('region', { name: 'Outcomes' });
    await outcomes.getByText('success').waitFor();
  });
});
