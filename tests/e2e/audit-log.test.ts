import { expect, it } from '@jest/globals';
import { auditActions } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Page, Route } from 'playwright-core';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, downloaded, type Person, useConsole } from './support/index.ts';

const app = useConsole();

/** A day in the format of a date input, far enough from today in every time zone. */
const day = (fromToday: number) =>
  new Date(Date.now() + 2 * fromToday * 86_400_000).toISOString().slice(0, 10);

/** Waits until the log has entries of these actions. They come from several services, in any order. */
const logged = (owner: Person, ...actions: string[]) =>
  eventually(async () => {
    const { data } = await owner.call('GET', '/audit-log');
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(expect.arrayContaining(actions));
    return data;
  });

it.each(['en', 'de'])(
  'the audit log has a sentence for each action in %s, and shows others by name',
  async (language) => {
    const owner = await app.signUp();
    const [entry] = await logged(owner, 'workspace.create');
    const data = [...auditActions, 'lamp.light'].map((action, at) => ({
      ...entry,
      id: `entry-${at}`,
      seq: 1_000 - at,
      action,
      resource_id: owner.workspaceId,
      changes: { title: { before: null, after: 'Keep the lamp' } },
    }));
    const page = await app.visit('/waymark.svg', owner);
    await page.evaluate((code) => localStorage.setItem('waymark.language', code), language);
    await page.route('**/v1/audit-log?*', (route) => route.fulfill({ json: { data, next_cursor: null } }));
    await page.goto(`/w/${owner.workspaceId}/audit`);
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

it('the audit log names every kind of record and pictures who changed it, also for an admin with another workspace', async () => {
  const owner = await app.signUp();
  const admin = await owner.addMember('admin', 'Grace Hopper');
  const account = await owner.call('POST', '/service-accounts', { name: 'Robot', role: 'member' });
  const key = await owner.createKey();
  const robot = await owner.createKey({ serviceAccountId: account.id });
  const lamp = await owner.decide('Keep the lamp');
  await owner.call('PATCH', `/decisions/${lamp}`, { status: 'accepted' });
  await key.decide('By a key');
  await robot.decide('By a robot');
  await owner.call('DELETE', `/decisions/${await owner.decide('Sell the boat')}`);
  const { ids, workflowId } = await drawWorkflow(owner, ['Cut', 'Ship']);
  const ends = { sourceId: ids['Cut'], targetId: ids['Ship'] };
  await owner.call('POST', '/edges', { workflowId, ...ends });
  await owner.call('PATCH', `/nodes/${ids['Cut']}`, { positionX: 1 });
  const content = '- Can **we** wait?\nThe harbour is frozen.';
  await owner.call('POST', `/threads/${ids['Cut']}`, { content, contentType: 'markdown' });
  await owner.call('POST', '/invitations', { role: 'viewer' });
  await owner.call('PATCH', `/workspaces/${owner.workspaceId}`, { hiddenForecasts: true });
  const last = [
    'decision.update',
    'decision.delete',
    'node.update',
    'edge.create',
    'thread.message_create',
    'invitation.accept',
    'workspace.update',
  ];
  await logged(owner, ...last);

  const page = await app.visit('/waymark.svg', admin);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url());
  });
  await page.goto(`/w/${owner.workspaceId}/audit`);
  const rows = page.locator('main tbody');
  for (const title of ['Keep the lamp', 'Release', 'Cut', 'Can we wait?…', 'anyone with the link'])
    await rows.getByText(title, { exact: true }).first().waitFor();
  const row = (text: string) => rows.getByRole('row').filter({ hasText: text });
  await row('changed the workspace (hidden forecasts)').waitFor();
  await row('invitation.accept').getByRole('button', { name: 'its entries: Grace Hopper' }).waitFor();
  expect(await rows.textContent()).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
  expect(await row('decision.update').locator('.avatar').getAttribute('data-initials')).toBe('AL');
  expect(await row('By a key').locator('.avatar .lucide-key-round').count()).toBe(1);
  expect(await row('By a robot').locator('.avatar .lucide-bot').count()).toBe(1);
  await checkAccessible(page);

  // Records whose title is in no entry shown.
  await page.goto(`/w/${owner.workspaceId}/audit?action=decision.update`);
  const link = page.getByRole('link', { name: 'Keep the lamp' });
  expect(await link.getAttribute('href')).toBe(`/w/${owner.workspaceId}/decisions/${lamp}`);
  await page.getByRole('row', { name: 'set the status of Keep the lamp to accepted' }).waitFor();
  await page.goto(`/w/${owner.workspaceId}/audit?action=decision.delete`);
  await page.getByRole('row', { name: 'deleted the decision Sell the boat' }).waitFor();
  await page.goto(`/w/${owner.workspaceId}/audit?action=node.update`);
  await page.getByRole('button', { name: 'its entries: Cut' }).waitFor();
  await page.getByRole('row', { name: 'changed the node Cut (position x)' }).waitFor();
  expect(refused).toEqual([]);
});

it('the audit log can be filtered, shows values before and after, verifies and exports', async () => {
  const owner = await app.signUp();
  const key = await owner.createKey();
  const id = await key.decide('Adopt two-phase rollout');
  const title = 'Adopt three-phase rollout';
  // As long as that of a browser.
  const headers = { 'user-agent': 'An agent '.repeat(20) };
  await key.call('PATCH', `/decisions/${id}`, { title }, { headers });
  await logged(owner, 'api_key.create', 'decision.update');

  const page = await owner.open('audit');
  const only = (action: string) => page.getByRole('button', { name: `Only this action: ${action}` });
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  /** The last filter hides the entry of the key, or is gone. */
  const hidesKey = () => only('api_key.create').waitFor({ state: 'detached' });
  const showsKey = () => only('api_key.create').waitFor();
  const showsUpdate = () => only('decision.update').waitFor();
  const hidesUpdate = () => only('decision.update').waitFor({ state: 'detached' });
  const nothingMatches = () => page.getByText('No entries match the filters').waitFor();
  await showsKey();
  const row = page.getByRole('row').filter({ hasText: 'decision.create' });
  await row.getByText(/\d:\d\d:\d\d/).waitFor();
  await row.getByRole('cell', { name: /(127\.0\.0\.1|::1)$/ }).waitFor();
  const link = row.getByRole('link', { name: 'Adopt t' });
  expect(await link.getAttribute('href')).toBe(`/w/${owner.workspaceId}/decisions/${id}`);
  await only('decision.create').click();
  await hidesKey();
  await button('Show all').click();
  await row.getByRole('button', { name: /^its entries: Adopt/ }).click();
  await hidesKey();
  await button('Entries of every record').click();
  await showsKey();
  await row.getByRole('button', { name: /^Only this address: / }).click();
  await button('Entries from every address').waitFor();
  expect(new URL(page.url()).searchParams.get('ip')).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
  await showsKey();
  await page.goto(`/w/${owner.workspaceId}/audit?ip=192.0.2.1`);
  await nothingMatches();
  await button('Entries from every address').click();
  await showsKey();
  const pick = async (label: string, part: string, option: RegExp) => {
    await page.getByRole('combobox', { name: label }).fill(part);
    await page.getByRole('option', { name: option }).click();
  };
  await pick('Action', 'sion.up', /^decision.update \(1\)$/);
  await hidesKey();
  await page.reload();
  await page.getByRole('link', { name: title }).waitFor();
  const place = await only('decision.update').boundingBox();
  await button(/^Details of entry/).click();
  const changes = page.getByRole('table', { name: 'What changed' });
  await changes.getByRole('rowheader', { name: 'Title' }).waitFor();
  await changes.getByText('Adopt two-phase rollout').waitFor();
  await changes.getByText(title).waitFor();
  expect(await only('decision.update').boundingBox()).toEqual(place);
  await checkAccessible(page);
  await button('Show all').click();
  await showsKey();
  await button(/^Only this actor: test key/).click();
  await hidesKey();
  await button('Show all').click();
  await showsKey();

  await pick('Kind of record', 'key', /^api key \(\d\)$/);
  await hidesUpdate();
  await showsKey();
  await button('Clear kind of record').click();
  await showsUpdate();
  await pick('Actor', 'da L', /^Ada Lovelace \(\d\)$/);
  await hidesUpdate();
  await showsKey();
  await button('Clear actor').click();
  await showsUpdate();
  await page.getByLabel('From', { exact: true }).fill(day(2));
  await nothingMatches();
  await page.getByLabel('From', { exact: true }).fill(day(-2));
  await showsUpdate();
  await page.getByLabel('To', { exact: true }).fill(day(-1));
  await nothingMatches();
  await page.getByLabel('To', { exact: true }).fill(day(1));
  await showsUpdate();

  await button('Verify chain').click();
  await page.getByText('The chain is valid').waitFor();
  await checkAccessible(page);
  const refusal = { error: 'RATE_LIMITED', message: 'Wait for the next minute.' };
  const answer = { status: 429, json: refusal, headers: { 'x-request-id': 'req-of-the-export' } };
  const refuse = (route: Route) => route.fulfill(answer);
  await page.route('**/v1/audit-log/export?*', refuse, { times: 1 });
  await button('Export NDJSON').click();
  await page.getByRole('alert').getByText('Wait for the next minute.').waitFor();
  await page.getByTitle('req-of-the-export').waitFor();
  const { content } = await downloaded(page, 'Export NDJSON');
  await page.getByText(/^\S+ is saved \(/).waitFor();
  const lines = content.toString().trim().split('\n');
  expect(JSON.parse(lines[0]!)).toMatchObject({ seq: 1, workspace_id: owner.workspaceId });
});

it('the audit log keeps named views in the account, apart from those of the decisions', async () => {
  const owner = await app.signUp();
  const key = await owner.createKey();
  await key.decide('Adopt two-phase rollout');
  await logged(owner, 'api_key.create', 'decision.create');
  const only = (on: Page, action: string) => on.getByRole('button', { name: `Only this action: ${action}` });
  const page = await owner.open('audit');
  await only(page, 'decision.create').click();
  await only(page, 'api_key.create').waitFor({ state: 'detached' });
  await page.getByLabel('From', { exact: true }).fill(day(-2));
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this view as').fill('New decisions');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Favourite: New decisions' }).click();
  await page.getByRole('button', { name: 'Favourite: New decisions', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Actions for the view New decisions' }).click();
  await page.getByRole('menuitem', { name: 'Open the list with it' }).click();
  await checkAccessible(page);

  const elsewhere = await owner.open('audit', { isNewProfile: true });
  await elsewhere.waitForURL(/action=decision\.create/);
  expect(await elsewhere.getByLabel('From', { exact: true }).inputValue()).toBe(day(-2));
  await elsewhere.getByRole('button', { name: 'Show all' }).click();
  await only(elsewhere, 'api_key.create').waitFor();
  await elsewhere.getByRole('link', { name: 'New decisions' }).click();
  await only(elsewhere, 'api_key.create').waitFor({ state: 'detached' });
  await elsewhere.goto(`/w/${owner.workspaceId}/decisions`);
  await elsewhere.getByText('1 decision', { exact: true }).waitFor();
  expect(await elsewhere.getByRole('link', { name: 'New decisions' }).count()).toBe(0);
});
