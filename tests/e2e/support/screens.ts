/// <reference lib="dom" />
import { expect } from '@jest/globals';
import type { StackClient } from '@waymark/testing';
import type { Page } from 'playwright-core';

/** Every text of the records has this word. */
export const USER_TEXT = 'Qvz';

export interface Screen {
  path: string;
  /** An element of the complete page. */
  shown: string;
  /** Opens what the page shows on request. */
  open?: (page: Page) => Promise<void>;
}

interface Filled {
  cookie: string;
  workspaceId: string;
  screens: Screen[];
}

/** Creates a workspace with a record of each kind, and returns the screens that show them. */
export async function fillWorkspace(product: StackClient): Promise<Filled> {
  const { workspaceId, cookie } = await product.signUp(`${USER_TEXT} person`);
  const call = async (method: string, path: string, body: object) => {
    const answer = await product.call(method, path, { cookie, body });
    expect([path, answer.status < 300 || answer.body]).toEqual([path, true]);
    return answer.body;
  };
  await product.call('PATCH', `/workspaces/${workspaceId}`, {
    cookie,
    body: { name: `${USER_TEXT} space` },
  });
  const decision = await call('POST', '/decisions', {
    workspaceId,
    title: `${USER_TEXT} decision`,
    question: `${USER_TEXT}?`,
    rationale: USER_TEXT,
    optionsConsidered: [{ title: USER_TEXT, pros: [USER_TEXT], cons: [USER_TEXT] }],
    tags: [USER_TEXT],
    decidedBy: USER_TEXT,
    status: 'accepted',
    expectedBy: '2020-01-01',
    outcomeConfidence: 0.7,
  });
  const workflow = await call('POST', '/workflows', { workspaceId, title: `${USER_TEXT} workflow` });
  const place = { workspaceId, workflowId: workflow.id, type: 'task', positionX: 0 };
  const node = await call('POST', '/nodes', { ...place, title: `${USER_TEXT} one`, positionY: 0 });
  await call('POST', '/nodes', { ...place, title: `${USER_TEXT} two`, positionY: 200 });
  await call('POST', `/threads/${node.id}`, { content: USER_TEXT });
  await call('POST', '/api-keys', { workspaceId, name: USER_TEXT, scopes: ['read'] });
  const events = ['decision.created'];
  const webhook = await call('POST', '/webhooks', {
    workspaceId,
    url: `https://example.com/${USER_TEXT}`,
    events,
  });
  await call('POST', '/invitations', {
    workspaceId,
    role: 'viewer',
    email: `${USER_TEXT}@example.com`.toLowerCase(),
  });
  const at = (path: string) => `/w/${workspaceId}/${path}`;
  const row = (text: string) => `main :text("${USER_TEXT} ${text}")`;
  const screens: Screen[] = [
    { path: at('decisions'), shown: '[role="search"]' },
    { path: at(`decisions?tag=${USER_TEXT}&status=accepted&overdue=true`), shown: '.filter-chips' },
    { path: at(`decisions/${decision.id}`), shown: '#facts' },
    { path: at(`decisions/${decision.id}/edit`), shown: 'main form' },
    { path: at('decisions/new'), shown: 'main form' },
    { path: at('workflows'), shown: row('workflow') },
    { path: at(`workflows/${workflow.id}`), shown: '.react-flow__node' },
    { path: at(`workflows/${workflow.id}?node=${node.id}`), shown: '[role="tab"]' },
    { path: at('insight'), shown: 'main svg' },
    { path: at('transfer'), shown: 'main h2' },
    { path: at('webhooks'), shown: `main :text("example.com/${USER_TEXT}")` },
    { path: at('webhooks#new'), shown: '[role="dialog"] form' },
    { path: at(`webhooks/${webhook.id}`), shown: 'main h2' },
    { path: at('audit'), shown: 'main tbody tr' },
    { path: at('settings'), shown: 'main form' },
    { path: at('settings/members'), shown: 'main tbody tr' },
    { path: at('settings/api-keys'), shown: 'main tbody tr' },
    { path: at('settings/api-keys#new'), shown: '[role="dialog"] form' },
    { path: at('settings/limits'), shown: 'main h2' },
    { path: at('settings/members#new'), shown: '[role="dialog"] form' },
    { path: '/account', shown: 'main h2' },
    { path: '/new-workspace', shown: 'main form' },
    {
      path: at(`decisions/${decision.id}`),
      shown: '#facts',
      open: async (page) => {
        await page.locator('main .mantine-Button-root').first().click();
        await page.locator('[role="dialog"] form').waitFor();
      },
    },
    {
      path: at('audit'),
      shown: 'main tbody tr',
      open: async (page) => {
        const entry = page.locator('main tr').filter({ hasText: 'invitation.create' });
        await entry.locator('button[aria-expanded]').click();
        await page.locator('main td[colspan] table').first().waitFor();
      },
    },
    {
      path: at('decisions'),
      shown: '[role="search"]',
      open: async (page) => {
        await page.keyboard.press('Control+k');
        await page.locator('[role="dialog"] [role="option"]').first().waitFor();
      },
    },
    {
      path: at('decisions'),
      shown: '[role="search"]',
      open: async (page) => {
        await page.keyboard.press('?');
        await page.locator('dialog[open], [role="dialog"]').first().waitFor();
      },
    },
  ];
  return { workspaceId, cookie, screens };
}

/** The screens for visitors who are not signed in. */
export const entrance: Screen[] = ['/sign-in', '/sign-up', '/forgot-password'].map((path) => ({
  path,
  shown: 'main h1',
}));

/** Opens a screen and waits until it is complete. */
export async function show(page: Page, { path, shown, open }: Screen): Promise<void> {
  // A change of the fragment alone would not load the page. An address of the same origin keeps the process.
  await page.goto('/waymark.svg');
  await page.goto(path);
  await page.locator(shown).first().waitFor();
  await open?.(page);
  await page.waitForFunction(() => !document.querySelector('.mantine-Loader-root'));
}
