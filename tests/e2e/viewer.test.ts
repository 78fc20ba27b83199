import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible, downloaded, pressUntil, useConsole } from './support/index.ts';

const app = useConsole();

const WRITERS = 'Members, admins and owners can do this';
const ADMINS = 'Admins and owners can do this';

it('a viewer is offered nothing that would be refused, and reads who can use the pages for other roles', async () => {
  const owner = await app.signUp();
  const viewer = await owner.addMember('viewer', 'Viola Viewer');
  const page = await viewer.open('decisions');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} of ${response.url()}`);
  });
  const open = (path: string) => page.goto(`/w/${owner.workspaceId}/${path}`);
  const offered = (role: 'link' | 'button', name: string | RegExp) => page.getByRole(role, { name }).count();
  await page.getByText('No decisions yet').waitFor();
  expect(await offered('link', 'New decision')).toBe(0);
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await pressUntil('?', shortcuts);
  await shortcuts.getByRole('rowheader', { name: 'The next row of a list' }).waitFor();
  expect(await shortcuts.getByText(/New decision|Log the outcome|Rename the node/).count()).toBe(0);
  await page.keyboard.press('Escape');

  const id = await owner.decide('Keep the keeper', { rationale: 'A machine rusts.' });
  await open(`decisions/${id}`);
  await page.getByText('A machine rusts.').click();
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'Links' }).waitFor();
  expect(await offered('button', /Log outcome|Accept|Delete|^Edit/)).toBe(0);
  expect(await offered('link', /Edit|Replace/)).toBe(0);
  expect(await page.getByRole('group', { name: 'Add', exact: true }).count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);

  await open('transfer');
  await page.getByText('only admins and owners').waitFor();
  await downloaded(page, 'Export CSV');
  expect(await page.locator('input[type=file]').count()).toBe(0);

  const endpoint = { url: 'https://example.com/hook', events: ['decision.created'] };
  const webhook = await owner.call('POST', '/webhooks', endpoint);
  const pages = {
    'decisions/new': WRITERS,
    [`decisions/${id}/edit`]: WRITERS,
    'settings/api-keys': ADMINS,
    'settings/limits': ADMINS,
    webhooks: ADMINS,
    [`webhooks/${webhook.id}`]: ADMINS,
    [`webhooks/${webhook.id}/deliveries/${id}`]: ADMINS,
  };
  for (const [path, words] of Object.entries(pages)) {
    await open(path);
    await page.getByRole('heading', { name: words }).waitFor();
    await page.getByText('You are a viewer of').waitFor();
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
    expect(await offered('button', 'Create a key')).toBe(0);
  }
  await checkAccessible(page);

  await open('settings/members');
  await page.getByRole('row', { name: /owner$/i }).waitFor();
  expect(await page.locator('main').textContent()).not.toContain('@');
  expect(await offered('button', /Invite|Remove|role/i)).toBe(0);
  await open('settings');
  await page.getByText('You are a viewer').waitFor();
  expect(await offered('link', /Webhooks|API keys/)).toBe(0);
  expect(await offered('button', /Rename|Change plan|Delete/)).toBe(0);
  await checkAccessible(page);
  expect(refused).toEqual([]);
  await page.getByRole('button', { name: 'Leave workspace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForURL(`**/w/${viewer.homeId}/decisions`);
});

it('a viewer reads in the audit log which details admins and owners see', async () => {
  const owner = await app.signUp();
  const viewer = await owner.addMember('viewer', 'Viola Viewer');
  await owner.createKey();
  const endpoint = { url: 'https://example.com/hook', events: ['decision.created'] };
  await owner.call('POST', '/webhooks', endpoint);
  await eventually(async () => {
    const query = { action: 'api_key.create' };
    expect((await owner.call('GET', '/audit-log', undefined, { query })).data).toHaveLength(1);
  });
  const page = await viewer.open('audit?action=api_key.create');
  await page.getByRole('button', { name: /^Details of entry/ }).click();
  await page.getByText('What changed is shown to admins and owners.').waitFor();
  await page.getByText('Address: shown to admins and owners').waitFor();
  await checkAccessible(page);
  // The pages of webhooks are not for viewers.
  await page.goto(`/w/${owner.workspaceId}/audit?action=webhook.create`);
  await page.getByRole('button', { name: 'Only this action: webhook.create' }).waitFor();
  expect(await page.locator('main tbody').getByRole('link').count()).toBe(0);
  // The address of an invitation is shown to admins and owners only, and no id in its place.
  await page.goto(`/w/${owner.workspaceId}/audit?action=invitation.create`);
  await page.getByText('invited somebody').waitFor();
});
