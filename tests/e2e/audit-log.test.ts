import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { auditActions } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Route } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** A day in the format of a date input, far enough from today in every time zone. */
const day = (fromToday: number) =>
  new Date(Date.now() + 2 * fromToday * 86_400_000).toISOString().slice(0, 10);

describe('the audit log', () => {
  it('names records whose title is in no entry shown', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    async function send(method: string, path: string, body: object) {
      const answer = await app.product.call(method, path, { key, body });
      expect([answer.status, answer.text]).toEqual([method === 'POST' ? 201 : 200, answer.text]);
      return answer.body;
    }
    const { id } = await send('POST', '/decisions', { title: 'Keep the lamp' });
    await send('PATCH', `/decisions/${id}`, { status: 'accepted' });
    const { id: workflowId } = await send('POST', '/workflows', { title: 'Release' });
    const at = { workflowId, type: 'task', positionX: 0, positionY: 0 };
    const node = await send('POST', '/nodes', { ...at, title: 'Cut a branch' });
    await send('PATCH', `/nodes/${node.id}`, { positionX: 1 });
    await eventually(async () => {
      const { body } = await app.product.call('GET', `/audit-log?workspaceId=${workspaceId}`, { key });
      const actions = body.data.map((entry: { action: string }) => entry.action);
      expect(actions).toEqual(expect.arrayContaining(['decision.update', 'node.update']));
    });
    const page = await app.visit(`/w/${workspaceId}/audit?action=decision.update`, { cookie });
    const link = page.getByRole('link', { name: 'Keep the lamp' });
    expect(await link.getAttribute('href')).toBe(`/w/${workspaceId}/decisions/${id}`);
    await page.getByRole('row', { name: 'set the status of Keep the lamp to accepted' }).waitFor();
    await page.goto(`/w/${workspaceId}/audit?action=node.update`);
    await page.getByRole('button', { name: 'its entries: Cut a branch' }).waitFor();
    await page.getByRole('row', { name: 'changed the node Cut a branch: position x' }).waitFor();
  });

  it.each(['en', 'de'])(
    'has a sentence for each action in %s, and shows others by name',
    async (language) => {
      const { workspaceId, key, cookie } = await app.product.workspace();
      const log = () => app.product.call('GET', '/audit-log', { key, query: { workspaceId } });
      await eventually(async () => expect((await log()).body.data.length).toBeGreaterThan(0));
      const [entry] = (await log()).body.data;
      const data = [...auditActions, 'lamp.light'].map((action, at) => ({
        ...entry,
        id: `entry-${at}`,
        seq: 1_000 - at,
        action,
        resource_id: workspaceId,
        changes: { title: { before: null, after: 'Keep the lamp' } },
      }));
      const page = await app.visit('/waymark.svg', { cookie });
      await page.evaluate((code) => localStorage.setItem('waymark.language', code), language);
      await page.route('**/v1/audit-log?*', (route) => route.fulfill({ json: { data, next_cursor: null } }));
      await page.goto(`/w/${workspaceId}/audit`);
      const sentences = page.locator('.entry-sentence');
      await eventually(async () => expect(await sentences.count()).toBe(data.length));
      const texts = await sentences.allTextContents();
      const { name } = entry.actor;
      expect(texts.filter((text) => !text.startsWith(`${name} `))).toEqual([
        `${name}: lamp.light Keep the lamp`,
      ]);
      expect(new Set(texts).size).toBe(texts.length);
    },
  );

  it('shows people by their initials, and keys and service accounts by a symbol each', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, key, cookie } = owner;
    const create = async (path: string, body: object, by: { key: string } | { cookie: string }) =>
      (await app.product.call('POST', path, { ...by, body: { workspaceId, ...body } })).body;
    const account = await create('/service-accounts', { name: 'Robot', role: 'member' }, { cookie });
    const names = { name: 'robot key', scopes: ['read', 'write'], serviceAccountId: account.id };
    const robot = await create('/api-keys', names, { cookie });
    await create('/decisions', { title: 'By a person' }, { cookie });
    await create('/decisions', { title: 'By a key' }, { key });
    await create('/decisions', { title: 'By a robot' }, { key: robot.key });
    const page = await app.visit(`/w/${workspaceId}/audit?action=decision.create`, { cookie });
    const avatarOf = (title: string) => page.getByRole('row').filter({ hasText: title }).locator('.avatar');
    expect(await avatarOf('By a person').textContent()).toBe('AL');
    expect(await avatarOf('By a key').locator('.lucide-key-round').count()).toBe(1);
    expect(await avatarOf('By a robot').locator('.lucide-bot').count()).toBe(1);
    await checkAccessible(page);
  });

  it('names every kind of record, also to an admin with another workspace', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, key, cookie } = owner;
    const admin = await app.product.signUp('Grace Hopper');
    await app.product.addMember(owner, admin, 'admin');
    const send = async (path: string, body: object) => {
      const answer = await app.product.call('POST', path, { cookie, body: { workspaceId, ...body } });
      expect([path, answer.status, answer.text]).toEqual([path, 201, answer.text]);
      return answer.body;
    };
    const decision = await send('/decisions', { title: 'Keep the lamp' });
    const update = { cookie, body: { workspaceId, status: 'accepted' } };
    await app.product.call('PATCH', `/decisions/${decision.id}`, update);
    const workflow = await send('/workflows', { title: 'Release' });
    const at = { workflowId: workflow.id, type: 'task', positionX: 0, positionY: 0 };
    const [first, second] = [
      await send('/nodes', { ...at, title: 'Cut' }),
      await send('/nodes', { ...at, title: 'Ship' }),
    ];
    const ends = { sourceId: first.id, targetId: second.id };
    await app.product.call('POST', '/edges', { cookie, body: { workflowId: workflow.id, ...ends } });
    const content = 'Can we wait?\nThe harbour is frozen.';
    const body = { content, contentType: 'markdown' };
    await app.product.call('POST', `/threads/${first.id}`, { cookie, body });
    await send('/invitations', { role: 'viewer' });
    await eventually(async () => {
      const { body: log } = await app.product.call('GET', '/audit-log', { key, query: { workspaceId } });
      const actions = log.data.map((entry: { action: string }) => entry.action);
      expect(actions).toEqual(
        expect.arrayContaining([
          'decision.update',
          'edge.create',
          'thread.message_create',
          'invitation.accept',
        ]),
      );
    });
    const page = await app.visit(`/w/${workspaceId}/audit`, { cookie: admin.cookie });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await page.reload();
    const rows = page.locator('main tbody');
    for (const title of ['Keep the lamp', 'Release', 'Cut', 'Can we wait?…', 'anyone with the link']) {
      await rows.getByText(title, { exact: true }).first().waitFor();
    }
    const joined = rows.getByRole('row').filter({ hasText: 'invitation.accept' });
    await joined.getByRole('button', { name: 'its entries: Grace Hopper' }).waitFor();
    expect(await rows.textContent()).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    expect(refused).toEqual([]);
    await checkAccessible(page);
  });

  it('can be filtered, shows values before and after, verifies and exports', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, key } = owner;
    const body = { workspaceId, title: 'Adopt two-phase rollout' };
    const created = await app.product.call('POST', '/decisions', { key, body });
    const change = { title: 'Adopt three-phase rollout' };
    await app.product.call('PATCH', `/decisions/${created.body.id}?workspaceId=${workspaceId}`, {
      key,
      body: change,
      // As long as that of a browser.
      headers: { 'user-agent': 'An agent '.repeat(20) },
    });
    await eventually(async () => {
      const { body } = await app.product.call('GET', `/audit-log?workspaceId=${workspaceId}`, { key });
      // The two entries come from different services, so one does not imply the other.
      expect(body.data.map((entry: { action: string }) => entry.action)).toEqual(
        expect.arrayContaining(['api_key.create', 'decision.update']),
      );
    });

    const page = await app.visit(`/w/${workspaceId}/audit`, { cookie: owner.cookie });
    const entry = (action: string) => page.getByRole('button', { name: `Only this action: ${action}` });
    await entry('api_key.create').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'decision.create' });
    await row.getByText(/\d:\d\d:\d\d/).waitFor();
    await row.getByRole('cell', { name: /(127\.0\.0\.1|::1)$/ }).waitFor();
    const title = row.getByRole('link', { name: 'Adopt t' });
    expect(await title.getAttribute('href')).toBe(`/w/${workspaceId}/decisions/${created.body.id}`);
    await row.getByRole('button', { name: 'Only this action: decision.create' }).click();
    await entry('api_key.create').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show all' }).click();
    await row.getByRole('button', { name: /^its entries: Adopt/ }).click();
    await entry('api_key.create').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Entries of every record' }).click();
    await entry('api_key.create').waitFor();
    await row.getByRole('button', { name: /^Only this address: / }).click();
    await page.getByRole('button', { name: 'Entries from every address' }).waitFor();
    expect(new URL(page.url()).searchParams.get('ip')).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
    await entry('api_key.create').waitFor();
    await page.goto(`/w/${workspaceId}/audit?ip=192.0.2.1`);
    await page.getByText('No entries match the filters').waitFor();
    await page.getByRole('button', { name: 'Entries from every address' }).click();
    await entry('api_key.create').waitFor();
    const pick = async (label: string, part: string, option: RegExp) => {
      await page.getByRole('combobox', { name: label }).fill(part);
      await page.getByRole('option', { name: option }).click();
    };
    await pick('Action', 'sion.up', /^decision.update \(1\)$/);
    await entry('api_key.create').waitFor({ state: 'detached' });
    await page.reload();
    const action = page.getByRole('button', { name: 'Only this action: decision.update' });
    await page.getByRole('link', { name: change.title }).waitFor();
    const place = await action.boundingBox();
    await page.getByRole('button', { name: /^Details of entry/ }).click();
    const changes = page.getByRole('table', { name: 'What changed' });
    await changes.getByRole('rowheader', { name: 'Title' }).waitFor();
    await changes.getByText('Adopt two-phase rollout').waitFor();
    await changes.getByText('Adopt three-phase rollout').waitFor();
    expect(await action.boundingBox()).toEqual(place);
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Show all' }).click();
    await entry('api_key.create').waitFor();
    await page
      .getByRole('button', { name: /^Only this actor: test key/ })
      .first()
      .click();
    await entry('api_key.create').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show all' }).click();
    await entry('api_key.create').waitFor();

    const filterBy = async (label: string, value: string) => {
      await page.getByLabel(label, { exact: true }).fill(value);
    };
    await checkAccessible(page);
    await pick('Kind of record', 'key', /^api key \(\d\)$/);
    await entry('decision.update').waitFor({ state: 'detached' });
    await entry('api_key.create').waitFor();
    await page.getByRole('button', { name: 'Clear kind of record' }).click();
    await entry('decision.update').waitFor();
    const { name } = (await app.product.call('GET', '/auth/me', { cookie: owner.cookie })).body.user;
    await pick('Actor', name.slice(1, 4), new RegExp(`^${name} \\(\\d\\)$`));
    await entry('decision.update').waitFor({ state: 'detached' });
    await entry('api_key.create').waitFor();
    await page.getByRole('button', { name: 'Clear actor' }).click();
    await entry('decision.update').waitFor();
    await filterBy('From', day(2));
    await page.getByText('No entries match the filters').waitFor();
    await filterBy('From', day(-2));
    await entry('decision.update').waitFor();
    await filterBy('To', day(-1));
    await page.getByText('No entries match the filters').waitFor();
    await filterBy('To', day(1));
    await entry('decision.update').waitFor();

    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText('The chain is valid').waitFor();
    await checkAccessible(page);
    const refusal = { error: 'RATE_LIMITED', message: 'Wait for the next minute.' };
    const headers = { 'x-request-id': 'req-of-the-export' };
    const refuse = (route: Route) => route.fulfill({ status: 429, json: refusal, headers });
    await page.route('**/v1/audit-log/export?*', refuse, { times: 1 });
    await page.getByRole('button', { name: 'Export NDJSON' }).click();
    await page.getByRole('alert').getByText('Wait for the next minute.').waitFor();
    await page.getByTitle('req-of-the-export').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export NDJSON' }).click(),
    ]);
    await page.getByText(/^\S+ is saved \(/).waitFor();
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines[0]!)).toMatchObject({ seq: 1, workspace_id: workspaceId });
  });

  it('tells a viewer which details admins and owners see', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, cookie } = owner;
    const viewer = await app.product.signUp('Viola Viewer');
    await app.product.addMember(owner, viewer, 'viewer');
    const endpoint = { workspaceId, url: 'https://example.com/hook', events: ['decision.created'] };
    await app.product.call('POST', '/webhooks', { cookie, body: endpoint });
    const query = { workspaceId, action: 'api_key.create' };
    await eventually(async () => {
      const log = await app.product.call('GET', '/audit-log', { cookie, query });
      expect(log.body.data).toHaveLength(1);
    });
    const page = await app.visit(`/w/${workspaceId}/audit?action=api_key.create`, { cookie: viewer.cookie });
    await page.getByRole('button', { name: /^Details of entry/ }).click();
    await page.getByText('What changed is shown to admins and owners.').waitFor();
    await page.getByText('Address: shown to admins and owners').waitFor();
    await checkAccessible(page);
    // The pages of webhooks are not for viewers.
    await page.goto(`/w/${workspaceId}/audit?action=webhook.create`);
    await page.getByRole('button', { name: 'Only this action: webhook.create' }).waitFor();
    expect(await page.locator('main tbody').getByRole('link').count()).toBe(0);
  });
});
