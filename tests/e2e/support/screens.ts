/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { drawWorkflow } from './draw-workflow.ts';
import { pressUntil } from './press-until.ts';
import type { ConsoleUnderTest } from './use-console.ts';

/** The texts of the records have this word. */
export const USER_TEXT = 'Qvz';

export interface Screen {
  path: string;
  /** An element of the complete page. */
  shown: string;
  /** Opens what the page shows on request. */
  open?: (page: Page) => Promise<void>;
}

/**
 * Creates a workspace with records of each kind, and returns the screens that show them. `text` returns the
 * text of a field; the number is the longest length that the test wants there.
 */
export async function fillWorkspace(
  app: ConsoleUnderTest,
  { text = (length: number) => `${USER_TEXT} ${length}`, endpoint = 'https://example.com' } = {},
) {
  const word = (length: number) => text(length).replaceAll(' ', '').toLowerCase();
  const owner = await app.signUp(text(200));
  const { call, workspaceId } = owner;
  await call('PATCH', `/workspaces/${workspaceId}`, { name: text(200) });
  await owner.addMember('viewer', text(200));
  const isDue = { status: 'accepted', expectedBy: '2020-01-01' };
  const decision = await owner.decide(text(300), {
    ...isDue,
    question: text(300),
    description: text(300),
    optionsConsidered: [{ title: text(300), pros: [text(300)], cons: [text(300)] }],
    criteria: [text(300)],
    resolution: text(300),
    rationale: `\`${text(300)}\`\n\n# ${text(300)}\n\nhttps://example.com/${word(300)}`,
    decisionType: text(100),
    tags: [text(100), text(99)],
    decidedBy: text(200),
    outcomeConfidence: 0.7,
  });
  const links = { supersedes: decision, relatesTo: [decision] };
  const successor = await owner.decide(text(299), { ...isDue, ...links });
  const deleted = await owner.decide(text(298));
  await call('DELETE', `/decisions/${deleted}`);
  const titles = [text(300), text(299)];
  const description = text(300);
  const drawn = await drawWorkflow(owner, titles, [], { title: text(300), description });
  const { path: workflow, workflowId } = drawn;
  const [node, other] = titles.map((title) => drawn.ids[title]);
  await call('PATCH', `/nodes/${node}`, { assignedTo: text(200), data: { [text(100)]: text(300) } });
  await call('PATCH', `/nodes/${other}`, { positionX: 0, positionY: 200 });
  const condition = { when: text(300) };
  await call('POST', '/edges', { workflowId, sourceId: node, targetId: other, condition });
  await call('POST', `/threads/${node}`, { content: text(300), contentType: 'markdown' });
  await owner.createKey({ name: text(200), allowedIps: ['2001:db8:1111:2222:3333:4444:5555:6666'] });
  const hook = { url: `${endpoint}/${word(300)}`, description, events: ['decision.created'] };
  const webhook = await call('POST', '/webhooks', hook);
  await call('POST', '/invitations', { role: 'viewer', email: `${word(60)}@${word(60)}.example` });

  const at = (path: string) => `/w/${workspaceId}/${path}`;
  /** Of a record of each kind, in the workspace. */
  const paths: Record<string, string> = {
    decision: `decisions/${decision}`,
    successor: `decisions/${successor}`,
    workflow,
    node: `${workflow}?node=${node}`,
    webhook: `webhooks/${webhook.id}`,
  };
  const form = '[role="dialog"] form';
  // No screen follows one whose address differs only after the #: the browser would not load it.
  const screens: Screen[] = [
    { path: at('decisions'), shown: '[role="search"]' },
    {
      path: at(`decisions?tag=${encodeURIComponent(text(100))}&status=accepted&overdue=true`),
      shown: '.filter-chips',
    },
    { path: at(paths['decision']!), shown: '#facts' },
    { path: at(`${paths['successor']}/edit`), shown: 'main form' },
    { path: at(`decisions/new?supersedes=${decision}`), shown: 'main form' },
    { path: at('decisions?board=true'), shown: '.board li' },
    { path: at('workflows'), shown: 'main a[href*="/workflows/"]' },
    { path: at(workflow), shown: '.react-flow__node' },
    { path: at(`${workflow}?board=true`), shown: '.board li' },
    { path: at(paths['node']!), shown: '[role="tab"]' },
    { path: at('my-work'), shown: 'main tbody tr' },
    { path: at('insight'), shown: 'main svg' },
    { path: at('transfer'), shown: 'main h2' },
    { path: at('trash'), shown: 'main tbody tr' },
    { path: at('webhooks'), shown: 'main a[href*="/webhooks/"]' },
    { path: at('settings/members#new'), shown: form },
    { path: at(paths['webhook']!), shown: 'main h2' },
    { path: at('webhooks#new'), shown: form },
    { path: at('audit'), shown: 'main tbody tr' },
    { path: at('settings'), shown: 'main form' },
    { path: at('settings/members'), shown: 'main tbody tr' },
    { path: at('settings/api-keys'), shown: 'main tbody tr' },
    { path: at('settings/limits'), shown: 'main table' },
    { path: at('settings/api-keys#new'), shown: form },
    { path: '/account', shown: 'main h2' },
    { path: '/new-workspace', shown: 'main form' },
    {
      path: at(paths['decision']!),
      shown: '#facts',
      open: async (page) => {
        await page.locator('main .mantine-Button-root').first().click();
        await page.locator(form).waitFor();
      },
    },
    {
      path: at('audit'),
      shown: 'main tbody tr',
      open: async (page) => {
        const entry = page.locator('main tr').filter({ hasText: 'invitation.create' });
        await entry.locator('button[aria-expanded]').first().click();
        await page.locator('main td[colspan] table').first().waitFor();
      },
    },
    {
      path: at('decisions'),
      shown: '[role="search"]',
      open: (page) => pressUntil('Control+k', page.locator('[role="dialog"] [role="option"]')),
    },
    {
      path: at('decisions'),
      shown: '[role="search"]',
      open: (page) => pressUntil('?', page.getByRole('dialog')),
    },
  ];
  return { owner, screens, paths };
}

/** The screens for visitors who are not signed in. */
export const entrance: Screen[] = ['/sign-in', '/sign-up', '/forgot-password'].map((path) => ({
  path,
  shown: 'main h1',
}));

/** Opens a screen and waits until it is complete. */
export async function show(page: Page, { path, shown, open }: Screen): Promise<void> {
  await page.goto(path);
  await page.locator(shown).first().waitFor();
  await open?.(page);
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
}
