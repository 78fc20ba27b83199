/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { startWebhookReceiver } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** Opens a page of a workspace and returns once its live stream is open. */
async function follow(path: string, cookie: string): Promise<Page> {
  const page = await app.visit('/account', { cookie });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const [stream] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v1/events')),
    page.goto(path),
  ]);
  expect(stream.status()).toBe(200);
  return page;
}

/** Marks the page, to notice a reload. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window);

describe('lists follow the events of the workspace', () => {
  it('shows the decisions of others, and moves nothing that is being read', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const decide = async (title: string) =>
      (await app.product.call('POST', '/decisions', { key, body: { workspaceId, title } })).body.id;
    for (let n = 1; n <= 20; n += 1) await decide(`Decision ${n}`);
    const page = await follow(`/w/${workspaceId}/decisions`, cookie);
    await page.getByRole('link', { name: 'Decision 20' }).waitFor();
    await mark(page);

    const id = await decide('By somebody else');
    await page.getByRole('link', { name: 'By somebody else' }).waitFor();

    const read = page.getByRole('link', { name: 'Decision 5' });
    await page.evaluate(() => window.scrollTo({ top: 300 }));
    const before = await read.boundingBox();
    await app.product.call('PATCH', `/decisions/${id}?workspaceId=${workspaceId}`, {
      key,
      body: { title: 'Changed by somebody else', status: 'accepted' },
    });
    await page.getByRole('link', { name: 'Changed by somebody else' }).waitFor();
    await decide('While you read');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await decide('While you read on');
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await page.getByRole('link', { name: 'While you read' }).count()).toBe(0);
    expect(await read.boundingBox()).toEqual(before);
    await checkAccessible(page);

    await page.getByRole('button', { name: '2 new' }).click();
    await page.getByRole('link', { name: 'While you read on' }).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(
      await page.getByRole('button', { name: 'new', exact: false }).filter({ hasText: /^\d/ }).count(),
    ).toBe(0);
    expect(await isMarked(page)).toBe(true);
  });

  it('reads a list again that changed while another page was open', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const page = await follow(`/w/${workspaceId}/decisions`, cookie);
    await page.getByRole('heading', { name: 'No decisions yet' }).waitFor();
    const places = page.getByRole('navigation');
    await places.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await app.product.call('POST', '/decisions', { key, body: { workspaceId, title: 'Meanwhile' } });
    await page.getByRole('link', { name: 'Meanwhile' }).waitFor();
    await places.getByRole('link', { name: 'Decisions' }).click();
    await page.getByRole('table', { name: 'Decisions' }).getByRole('link', { name: 'Meanwhile' }).waitFor();
  });

  it('shows the next page also when the list changes while it loads', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const decide = (title: string) =>
      app.product.call('POST', '/decisions', { key, body: { workspaceId, title } });
    for (let n = 1; n <= 30; n += 1) await decide(`Decision ${n}`);
    const page = await follow(`/w/${workspaceId}/decisions`, cookie);
    await page.getByRole('link', { name: 'Decision 30' }).waitFor();
    const isRead = page.waitForResponse(
      (response) => response.url().includes('/v1/decisions?') && !response.url().includes('cursor='),
    );
    await page.route(
      (url) => url.pathname === '/v1/decisions' && url.searchParams.has('cursor'),
      async (route) => {
        await decide('While the page loads');
        await isRead;
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Decision 1', exact: true }).waitFor();
  });

  it('shows changes of an open decision, of workflows, and entries of the audit log', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const body = { workspaceId, title: 'Keep the lamp' };
    const { id } = (await app.product.call('POST', '/decisions', { key, body })).body;
    const decision = await follow(`/w/${workspaceId}/decisions/${id}`, cookie);
    const workflows = await follow(`/w/${workspaceId}/workflows`, cookie);
    const audit = await follow(`/w/${workspaceId}/audit?action=decision.update`, cookie);
    await decision.getByRole('heading', { name: 'Keep the lamp' }).waitFor();
    await workflows.getByText('No workflows yet').waitFor();
    await audit.getByText('No entries match the filters').waitFor();
    await app.product.call('PATCH', `/decisions/${id}?workspaceId=${workspaceId}`, {
      key,
      body: { title: 'Replace the lamp' },
    });
    await app.product.call('POST', '/workflows', { key, body: { workspaceId, title: 'Release' } });
    await decision.getByRole('heading', { name: 'Replace the lamp' }).waitFor();
    await workflows.getByRole('link', { name: 'Release' }).waitFor();
    await audit.getByRole('link', { name: 'Replace the lamp' }).waitFor();
  });

  it('shows deliveries as they are sent', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const receiver = await startWebhookReceiver();
    try {
      const { id } = (
        await app.product.call('POST', '/webhooks', {
          cookie,
          body: { workspaceId, url: `${receiver.url}/hook`, events: ['decision.created'] },
        })
      ).body;
      const page = await follow(`/w/${workspaceId}/webhooks/${id}`, cookie);
      await page.getByText('Nothing was sent yet').waitFor();
      await app.product.call('POST', '/decisions', { key, body: { workspaceId, title: 'Tell others' } });
      await page.getByRole('row').filter({ hasText: 'decision.created' }).getByText('delivered').waitFor();
    } finally {
      await receiver.stop();
    }
  });

  it('keeps what somebody types while others change the same decision', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const body = { workspaceId, title: 'Keep the lamp' };
    const { id } = (await app.product.call('POST', '/decisions', { key, body })).body;
    const page = await follow(`/w/${workspaceId}/decisions/${id}/edit`, cookie);
    await page.getByLabel('Title').fill('Mine');
    const [read] = await Promise.all([
      page.waitForResponse(
        async (response) =>
          response.url().includes(`/v1/decisions/${id}?`) && (await response.json()).title === 'Theirs',
      ),
      app.product.call('PATCH', `/decisions/${id}?workspaceId=${workspaceId}`, {
        key,
        body: { title: 'Theirs' },
      }),
    ]);
    expect(read.status()).toBe(200);
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Somebody else changed this decision/).waitFor();
  });
});
