import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { drawWorkflow } from './support/draw-workflow.ts';
import { useConsole } from './support/index.ts';

const app = useConsole();

/**
 * Opens a page of the workspace. Returns the reads that it costs beside those that all pages share: of the
 * session, its events, and what the bell shows.
 */
async function readsOf(page: Page, path: string, shown: string): Promise<string[]> {
  // A read is repeated once when the live stream begins.
  const reads = new Set<string>();
  const free = /^\/v1\/(auth\/me$|events\?|notifications\?limit=1&)/;
  const note = (request: { method(): string; url(): string }) => {
    const { pathname, search } = new URL(request.url());
    const read = pathname + search;
    if (request.method() === 'GET' && read.startsWith('/v1/') && !free.test(read)) reads.add(read);
  };
  // The page before could still be reading.
  await page.goto('/waymark.svg');
  page.on('request', note);
  await page.goto(path);
  await page.getByText(shown).first().waitFor();
  await page.waitForLoadState('load');
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  page.off('request', note);
  return [...reads];
}

it('a page costs two reads at most, a list and the canvas three', async () => {
  const owner = await app.signUp();
  const endpoint = { url: 'https://hooks.waymark.example/', events: ['decision.updated'] };
  const { id: hook } = await owner.call('POST', '/webhooks', endpoint);
  await owner.call('PATCH', `/webhooks/${hook}`, { enabled: false });
  await owner.decide('Kept as it is');
  const changed = await owner.decide('Raise the quay', { expectedBy: '2024-03-01', status: 'accepted' });
  await owner.call('PATCH', `/decisions/${changed}`, { rationale: 'It floods' });
  const { path: canvas } = await drawWorkflow(owner, ['Plan', 'Build']);
  await eventually(async () => {
    const { decisions } = await owner.call('GET', '/search', undefined, { query: { q: 'quay' } });
    expect(decisions).toHaveLength(1);
  });
  const page = await app.visit('/waymark.svg', owner);
  await page.route('**/v1/auth/me?include=*', async (route) => {
    const account = await (await route.fetch()).json();
    account.included.sign_in_methods.password_reset = 'mail';
    await route.fulfill({ json: account });
  });
  const home = `/w/${owner.workspaceId}`;
  const pages: [path: string, shown: string, most: number][] = [
    [`${home}/decisions/${changed}`, 'It floods', 2],
    [`${home}/audit`, 'Kept as it is', 3],
    [`${home}/my-work`, 'Raise the quay', 2],
    [`${home}/insight`, 'Raise the quay', 2],
    [`${home}/webhooks/${hook}`, 'Accepted', 2],
    [`${home}/trash`, 'No deleted decisions', 2],
    [`${home}/settings/limits`, 'Rate limits', 3],
    [`${home}/decisions`, 'Raise the quay', 3],
    [`${home}/decisions?board=true`, 'Raise the quay', 3],
    [`${home}/workflows`, 'Workflows', 3],
    [`${home}/${canvas}`, 'Live', 3],
    [`${home}/${canvas}?board=true`, 'Plan', 3],
    ['/account', 'Save notifications', 2],
  ];
  for (const [path, shown, most] of pages) {
    const reads = await readsOf(page, path, shown);
    expect({ path, reads, tooMany: reads.slice(most) }).toEqual({ path, reads, tooMany: [] });
  }
});

it('a change of what the user watches, or of the inbox, is read once', async () => {
  const owner = await app.signUp();
  const grace = await owner.addMember('member', 'Grace Hopper');
  const { path, ids } = await drawWorkflow(owner, ['Plan']);
  await owner.call('PATCH', `/nodes/${ids['Plan']}`, { assignedTo: grace.userId });
  const page = await grace.open(path);
  await page.getByRole('link', { name: 'Inbox, 1 unread' }).waitFor();
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname === '/v1/notifications') reads.push(search);
  });
  const summary = '?limit=1&include=subscriptions';
  const watched = page.getByLabel('Notifications about this workflow');
  for (const level of ['watch', 'mute', 'watch']) await watched.selectOption(level);
  await watched.and(page.locator(':enabled')).waitFor();
  expect(reads).toEqual([summary, summary, summary]);

  await page.getByRole('link', { name: 'Inbox, 1 unread' }).click();
  await page.getByRole('button', { name: 'Mark as read' }).waitFor();
  reads.length = 0;
  for (const act of ['Mark as read', 'Mark as unread', 'Mark as read'])
    await page.getByRole('button', { name: act, exact: true }).click();
  await page.getByRole('button', { name: 'Mark as unread' }).and(page.locator(':enabled')).waitFor();
  expect(reads.sort()).toEqual([summary, summary, summary, '?limit=50', '?limit=50', '?limit=50']);
});

it('a read over the rate limit says how long it waits, and is repeated by itself', async () => {
  const owner = await app.signUp();
  await owner.decide('Raise the quay');
  const page = await owner.open('settings', { expects: /^429 of / });
  await page.route(
    '**/v1/decisions?*',
    (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '3' },
        json: { error: 'RATE_LIMITED', message: 'Too many requests.' },
      }),
    { times: 1 },
  );
  await page.getByRole('link', { name: 'Decisions' }).click();
  await page.getByText(/^Waiting \d s for your limit/).waitFor();
  await page.getByRole('link', { name: 'Raise the quay' }).waitFor();
  await page.getByText(/^Waiting/).waitFor({ state: 'detached' });
});
