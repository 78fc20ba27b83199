/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { answer, eventually, startWebhookReceiver } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** A text without a place to break, as long as a field allows. */
const long = (length: number) => 'Waymark'.repeat(length).slice(0, length);

/**
 * Returns, for both window widths, whether the page scrolls sideways, and the dialogs, menus and messages
 * that are cut off. On a wide screen, no table may scroll sideways either.
 */
async function tooWide(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const parts = await page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      const start = (element: Element | undefined) => element?.outerHTML.slice(0, 200);
      const beyond = [...document.querySelectorAll('main *')].filter(
        (one) => one.getBoundingClientRect().right > clientWidth,
      );
      const isWide = (one: Element) => one.scrollWidth > one.clientWidth + 1;
      const floating = '[role="dialog"], [role="status"] > *, :popover-open, [role="menu"], [role="listbox"]';
      const cut = [...document.querySelectorAll(floating)].filter((one) => {
        const { left, right, width: shown } = one.getBoundingClientRect();
        return shown > 0 && (left < 0 || right > clientWidth || isWide(one));
      });
      const scrolling = [...document.querySelectorAll('main *')].filter(
        (one) =>
          innerWidth > 1_000 &&
          !one.matches('input, textarea, select, pre, pre *') &&
          /auto|scroll/.test(getComputedStyle(one).overflowX) &&
          isWide(one),
      );
      return [
        ...(scrollWidth > clientWidth ? [`scrolls: ${scrollWidth}, ${start(beyond[0])}`] : []),
        ...cut.map((one) => `is cut off: ${start(one)}`),
        ...scrolling.map((one) => `scrolls inside: ${one.scrollWidth} of ${one.clientWidth}, ${start(one)}`),
      ];
    });
    found.push(...parts.map((part) => `${width}, ${page.url().replace(/.*\/w\/[\w-]+/, '')} ${part}`));
  }
  return found;
}

/** Creates a workspace whose records have such a text in every field. */
async function fill() {
  const owner = await app.product.signUp(long(200));
  const { workspaceId, cookie } = owner;
  const call = async (method: string, path: string, body: object) => {
    const { status, body: got } = await app.product.call(method, path, { cookie, body });
    expect([path, status, status < 300 || got]).toEqual([path, status, true]);
    return got;
  };
  await call('PATCH', `/workspaces/${workspaceId}`, { name: long(200) });
  const url = `https://example.com/${long(300)}`;
  const decision = await call('POST', '/decisions', {
    workspaceId,
    title: long(300),
    question: long(300),
    description: long(300),
    optionsConsidered: [{ title: long(300), pros: [long(300)], cons: [long(300)] }],
    criteria: [long(300)],
    resolution: long(300),
    rationale: `\`${long(300)}\`\n\n# ${long(300)}\n\n${url}`,
    decisionType: long(100),
    tags: [long(100), long(99)],
    decidedBy: long(200),
    expectedBy: '2020-01-01',
    status: 'accepted',
  });
  const next = await call('POST', '/decisions', {
    workspaceId,
    title: long(299),
    supersedes: decision.id,
    relatesTo: [decision.id],
    expectedBy: '2020-01-01',
    status: 'accepted',
  });
  const path = `/decisions/${decision.id}?workspaceId=${workspaceId}`;
  await call('PATCH', path, { title: long(298), outcome: 'partial', outcomeNotes: long(300) });
  const workflow = await call('POST', '/workflows', {
    workspaceId,
    title: long(300),
    description: long(300),
  });
  const node = {
    workspaceId,
    workflowId: workflow.id,
    type: 'task',
    assignedTo: long(200),
    positionX: 0,
    positionY: 0,
  };
  const first = await call('POST', '/nodes', {
    ...node,
    title: long(300),
    data: { [long(100)]: long(300) },
  });
  const second = await call('POST', '/nodes', { ...node, positionY: 200, title: long(299) });
  const ends = { sourceId: first.id, targetId: second.id };
  await call('POST', '/edges', { workflowId: workflow.id, ...ends, condition: { when: long(300) } });
  await call('POST', `/threads/${first.id}`, { content: long(300), contentType: 'markdown' });
  await call('POST', '/api-keys', {
    workspaceId,
    name: long(200),
    scopes: ['read'],
    allowedIps: ['2001:db8:1111:2222:3333:4444:5555:6666'],
  });
  const events = ['decision.created'];
  const webhook = await call('POST', '/webhooks', { workspaceId, url, description: long(300), events });
  await call('POST', '/invitations', {
    workspaceId,
    role: 'viewer',
    email: `${long(60)}@${long(60)}.example`,
  });
  return { owner, at: `/w/${workspaceId}`, cookie, call, decision, next, workflow, first, webhook };
}

describe('a text without a place to break', () => {
  it('makes no page scroll sideways, whichever field holds it', async () => {
    const { at, cookie, decision, next, workflow, first, webhook } = await fill();
    const page = await app.visit(`${at}/decisions`, { cookie, width: 1440 });
    const faults: string[] = [];
    const look = async (where: string, shown = 'Waymarkway') => {
      await page.goto(where);
      await page.locator('main').getByText(new RegExp(shown, 'i')).first().waitFor();
      faults.push(...(await tooWide(page)));
    };
    await look(`${at}/decisions`);
    await look(`${at}/decisions/${decision.id}`);
    await page.getByRole('button', { name: 'Log outcome' }).click();
    faults.push(...(await tooWide(page)));
    await look(`${at}/decisions/${next.id}`);
    await look(`${at}/decisions/${next.id}/edit`, 'Type');
    await look(`${at}/decisions/new?supersedes=${decision.id}`, 'Tags');
    await look(`${at}/workflows`);
    await look(`${at}/workflows/${workflow.id}`);
    await look(`${at}/workflows/${workflow.id}?node=${first.id}`);
    await look(`${at}/insight`);
    await look(`${at}/transfer`, 'Export');
    await look(`${at}/webhooks`);
    await look(`${at}/webhooks/${webhook.id}`);
    await look(`${at}/audit`, 'decision');
    await page.getByRole('button', { name: 'Details of entry' }).first().click();
    faults.push(...(await tooWide(page)));
    await look(`${at}/settings`, 'Workspace id');
    await look(`${at}/settings/members`);
    await look(`${at}/settings/api-keys`);
    await look(`${at}/settings/limits`, 'Reads');
    await look('/account', 'Password');
    await page.goto(`${at}/decisions`);
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('combobox', { name: /^Search/ }).fill('waymark');
    await page
      .getByRole('option', { name: /waymark/i })
      .first()
      .waitFor();
    faults.push(...(await tooWide(page)));
    expect(faults).toEqual([]);
  });

  it('is cut off in no dialog, menu or message', async () => {
    const { owner, at, cookie, call, decision, workflow, first } = await fill();
    const { workspaceId } = owner;
    const member = await app.product.signUp(long(200));
    await app.product.addMember(owner, member, 'viewer');
    const { email, password } = owner;
    const headers = { 'user-agent': long(300) };
    await app.product.call('POST', '/auth/sign-in', { body: { email, password }, headers });
    const invitation = await call('POST', '/invitations', { workspaceId, role: 'viewer' });
    const page = await app.visit(`${at}/decisions`, { cookie, width: 1440 });
    const faults: string[] = [];
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
    const dialog = page.getByRole('dialog');
    const open = async (path: string, ...steps: (() => Promise<unknown>)[]) => {
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.goto('about:blank');
      await page.goto(path);
      for (const step of steps) await step();
      faults.push(...(await tooWide(page)));
    };
    const decisions = `${at}/decisions`;
    await open(decisions, () => page.locator('header button[popovertarget]').first().click());
    await open(decisions, () => button(/^Account of/).click());
    await open(decisions, () => page.getByRole('combobox', { name: 'Tag' }).click());
    await open(
      decisions,
      () => page.getByRole('checkbox', { name: 'Select all that are shown' }).check(),
      () => button(/^Tag$/).click(),
      () => dialog.getByRole('combobox', { name: 'Tag' }).click(),
      () => page.locator('[role="option"]').first().waitFor(),
    );
    await open(
      decisions,
      () => page.getByRole('searchbox', { name: 'Title contains' }).fill(long(300)),
      () => page.waitForURL('**/decisions?text=*'),
      () => button('Views').click(),
      () => page.getByLabel('Save this view as').fill(long(60)),
      () => button('Save').click(),
      () => page.getByRole('link', { name: long(60) }).waitFor(),
    );
    await open(
      `${decisions}/${decision.id}`,
      () => button('Delete').click(),
      () => dialog.waitFor(),
    );
    await open(
      `${decisions}/${decision.id}`,
      () => button('Log outcome').click(),
      () => dialog.getByLabel(/^Notes/).fill(long(300)),
    );
    await open(
      `${at}/insight`,
      () =>
        page
          .getByLabel(/^Outcome of/)
          .first()
          .selectOption('partial'),
      () => button(/^Log outcome of/).click(),
      () =>
        page
          .getByRole('status')
          .getByText(/Waymark/)
          .waitFor(),
    );
    await open(
      `${at}/workflows`,
      () => button(/^Rename/).click(),
      () => dialog.waitFor(),
    );
    const canvas = `${at}/workflows/${workflow.id}`;
    await open(
      canvas,
      () => page.getByRole('combobox', { name: 'Go to a node' }).click(),
      () => page.locator('[role="option"]').first().waitFor(),
    );
    await open(
      canvas,
      () => page.locator(`.react-flow__node[data-id="${first.id}"]`).press('c'),
      () => dialog.waitFor(),
    );
    await open(
      canvas,
      () => page.locator('.react-flow__edge').first().press('Enter'),
      () => page.getByLabel('Condition').waitFor(),
    );
    await open(
      `${at}/workflows`,
      () => button(/^Delete/).click(),
      () => dialog.getByRole('button', { name: 'Delete workflow' }).click(),
      () =>
        page
          .getByRole('status')
          .getByText(/Waymark/)
          .waitFor(),
    );
    await open(
      `${at}/settings/members`,
      () =>
        page.getByRole('cell', { name: 'Viewer: read only' }).getByRole('combobox').selectOption('member'),
      () => dialog.getByRole('button', { name: 'Change role' }).click(),
      () =>
        page
          .getByRole('status')
          .getByText(/Waymark/)
          .waitFor(),
      () =>
        page
          .getByRole('button', { name: /^Remove/ })
          .first()
          .click(),
      () => dialog.waitFor(),
    );
    await open(
      `${at}/settings/api-keys`,
      () => button(/^Rotate/).click(),
      () => dialog.getByRole('button', { name: 'Rotate' }).click(),
      () => dialog.getByLabel('API key', { exact: true }).waitFor(),
    );
    await open(
      `${at}/settings/api-keys`,
      () => button(/^Revoke/).click(),
      () => dialog.getByRole('button', { name: 'Revoke' }).click(),
      () =>
        page
          .getByRole('status')
          .getByText(/Waymark/)
          .waitFor(),
    );
    await open(
      `${at}/settings`,
      () => button('Delete workspace').click(),
      () => dialog.waitFor(),
    );
    await open(
      '/account',
      () => page.getByRole('textbox', { name: 'Name' }).first().fill(long(199)),
      () => button('Change name').click(),
      () =>
        page
          .getByRole('status')
          .getByText(/Waymark/)
          .waitFor(),
      () => button(/^Sign out Way/).click(),
      () => dialog.waitFor(),
    );
    const token = new URL(invitation.url).hash;
    await open(`/join${token}`, () =>
      page
        .getByText(/Waymarkway/i)
        .first()
        .waitFor(),
    );
    expect(faults).toEqual([]);
  });

  it('is cut off in no delivery', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, cookie, key } = owner;
    const receiver = await startWebhookReceiver();
    receiver.behave(answer(400, { body: long(300), headers: { 'x-long': long(300) } }));
    try {
      const body = { workspaceId, url: `${receiver.url}/${long(300)}`, events: ['decision.created'] };
      const { id } = (await app.product.call('POST', '/webhooks', { cookie, body })).body;
      const decision = { workspaceId, title: long(300) };
      await app.product.call('POST', '/decisions', { key, body: decision });
      const stats = () => app.product.call('GET', `/webhooks/${id}/stats`, { cookie });
      await eventually(async () => expect((await stats()).body).toMatchObject({ failed: 1 }));
      const page = await app.visit(`/w/${workspaceId}/webhooks/${id}`, { cookie, width: 1440 });
      const faults: string[] = [];
      await page.getByRole('link', { name: 'decision.created' }).waitFor();
      faults.push(...(await tooWide(page)));
      await page.getByRole('link', { name: 'decision.created' }).click();
      await page.getByRole('region', { name: 'Sent in attempt 1' }).waitFor();
      faults.push(...(await tooWide(page)));
      expect(faults).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });
});
