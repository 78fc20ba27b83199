/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually, startWebhookReceiver } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible, type Person, runClockUntil, useConsole } from './support/index.ts';

const app = useConsole();

/** Opens a page of a workspace and returns once its live stream is open. */
async function follow(owner: Person, path: string): Promise<Page> {
  const page = await app.visit('/waymark.svg', { ...owner, ownClock: true });
  const [stream] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v1/events')),
    page.goto(`/w/${owner.workspaceId}/${path}`),
  ]);
  expect(stream.status()).toBe(200);
  return page;
}

/** Waits until the audit log has an entry of an action: the page's time is ahead of the service's. */
const isRecorded = (owner: Person, action: string) =>
  eventually(async () => (await owner.call('GET', `/audit-log?action=${action}`)).data.length > 0);

/** Marks the page, to notice a reload. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window);

it('an open list shows the decisions of others, and moves nothing that is being read', async () => {
  const owner = await app.signUp();
  const key = await owner.createKey();
  for (let n = 1; n <= 20; n += 1) await key.decide(`Decision ${n}`);
  const page = await follow(owner, 'decisions');
  const link = (name: string) => page.getByRole('link', { name });
  const button = (name: string) => page.getByRole('button', { name });
  await link('Decision 20').waitFor();
  await mark(page);

  const id = await key.decide('By somebody else');
  await runClockUntil(link('By somebody else'));

  const read = link('Decision 5');
  await page.evaluate(() => window.scrollTo({ top: 300 }));
  const before = await read.boundingBox();
  await key.call('PATCH', `/decisions/${id}`, { title: 'Changed by somebody else', status: 'accepted' });
  await runClockUntil(link('Changed by somebody else'));
  await key.decide('While you read');
  await runClockUntil(button('1 new'));
  await key.decide('While you read on');
  await runClockUntil(button('2 new'));
  expect(await link('While you read').count()).toBe(0);
  expect(await read.boundingBox()).toEqual(before);
  await checkAccessible(page);

  await button('2 new').click();
  await link('While you read on').waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(await button('new').filter({ hasText: /^\d/ }).count()).toBe(0);
  expect(await isMarked(page)).toBe(true);
});

it('a list that changed while another page was open is read again', async () => {
  const owner = await app.signUp();
  const page = await follow(owner, 'decisions');
  await page.getByRole('heading', { name: 'No decisions yet' }).waitFor();
  const places = page.getByRole('navigation');
  await places.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  await owner.decide('Meanwhile');
  await isRecorded(owner, 'decision.create');
  await runClockUntil(page.getByRole('link', { name: 'Meanwhile' }));
  await places.getByRole('link', { name: 'Decisions' }).click();
  await runClockUntil(
    page.getByRole('table', { name: 'Decisions' }).getByRole('link', { name: 'Meanwhile' }),
  );
});

it('the next page of a list is shown also when the list changes while it loads', async () => {
  const owner = await app.signUp();
  for (let n = 1; n <= 30; n += 1) await owner.decide(`Decision ${n}`);
  const page = await follow(owner, 'decisions');
  await page.getByRole('link', { name: 'Decision 30' }).waitFor();
  const isRead = page.waitForResponse(
    (response) => response.url().includes('/v1/decisions?') && !response.url().includes('cursor='),
  );
  await page.route(
    (url) => url.pathname === '/v1/decisions' && url.searchParams.has('cursor'),
    async (route) => {
      await owner.decide('While the page loads');
      await isRead;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Show more' }).click();
  await runClockUntil(page.getByRole('link', { name: 'Decision 1', exact: true }));
});

it('open pages show new decisions, workflows, entries of the audit log, and deliveries', async () => {
  const owner = await app.signUp();
  const receiver = await startWebhookReceiver();
  try {
    const endpoint = { url: receiver.url, events: ['decision.updated'] };
    const webhook = await owner.call('POST', '/webhooks', endpoint);
    const id = await owner.decide('Keep the lamp');
    const decision = await follow(owner, `decisions/${id}`);
    const workflows = await follow(owner, 'workflows');
    const audit = await follow(owner, 'audit?action=decision.update');
    const deliveries = await follow(owner, `webhooks/${webhook.id}`);
    await decision.getByRole('heading', { name: 'Keep the lamp' }).waitFor();
    await workflows.getByText('No workflows yet').waitFor();
    await audit.getByText('No entries match the filters').waitFor();
    await deliveries.getByText('Nothing was sent yet').waitFor();
    await owner.call('PATCH', `/decisions/${id}`, { title: 'Replace the lamp', outcome: 'success' });
    await owner.call('POST', '/workflows', { title: 'Release' });
    await runClockUntil(decision.getByRole('heading', { name: 'Replace the lamp' }));
    await runClockUntil(decision.getByRole('region', { name: 'Outcomes' }).getByText('success'));
    await runClockUntil(workflows.getByRole('link', { name: 'Release' }));
    await isRecorded(owner, 'decision.update');
    await runClockUntil(audit.getByRole('link', { name: 'Replace the lamp' }));
    await runClockUntil(deliveries.getByRole('row', { name: 'decision.updated' }).getByText('delivered'));
  } finally {
    await receiver.stop();
  }
});

it('a form keeps what somebody types while others change the same decision', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Keep the lamp');
  const page = await follow(owner, `decisions/${id}/edit`);
  await page.getByLabel('Title').fill('Mine');
  const [read] = await Promise.all([
    page.waitForResponse(
      async (response) =>
        response.url().includes(`/v1/decisions/${id}?`) && (await response.json()).title === 'Theirs',
    ),
    owner.call('PATCH', `/decisions/${id}`, { title: 'Theirs' }),
  ]);
  expect(read.status()).toBe(200);
  expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/changed this decision while you/).waitFor();
});
