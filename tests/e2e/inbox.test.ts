import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, focused, useConsole } from './support/index.ts';

const app = useConsole();

it('the bell counts at once what others assign, and the inbox is worked through with keys', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const grace = await owner.addMember('member', 'Grace Hopper');
  const { ids, workflowId } = await drawWorkflow(owner, ['Measure', 'Decide']);
  const page = await grace.open('decisions');
  const bell = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
  await bell('Inbox').waitFor();
  for (const title of ['Measure', 'Decide'])
    await owner.call('PATCH', `/nodes/${ids[title]}`, { assignedTo: grace.userId });
  await bell('Inbox, 2 unread').click();
  const rows = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem');
  await rows.nth(1).waitFor();
  expect(await rows.first().textContent()).toMatch(/^Ada Lovelace assigned youDecide · /);
  await checkAccessible(page);

  await rows.first().getByRole('link').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await bell('Inbox, 1 unread').waitFor();
  await rows.nth(1).getByRole('button', { name: 'Mark as unread' }).waitFor();
  await page.keyboard.press('k');
  await rows.first().getByLabel('Snooze').selectOption('For an hour');
  await eventually(async () => expect(await rows.count()).toBe(1));
  await bell('Inbox').waitFor();
  for (const name of ['Mute', 'Unmute']) {
    await rows.first().getByRole('button', { name, exact: true }).click();
  }
  await rows.first().getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await rows.first().getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/workflows/${workflowId}?node=${ids['Measure']}`);

  await page.getByLabel('Tell me of').selectOption('Nothing');
  await eventually(async () => {
    const { data } = await grace.call('GET', '/notifications/subscriptions');
    expect(data).toMatchObject([{ record_id: ids['Measure'], level: 'mute' }]);
  });
  await page.getByLabel('Notifications about this workflow').selectOption('Every change and message');
  await page.goto('/account');
  const chosen = page.getByRole('region', { name: 'What you watch and have muted' });
  await chosen.getByRole('row', { name: 'Every change and message' }).waitFor();
  await checkAccessible(page);
  await chosen.getByRole('button', { name: 'Unmute: Measure' }).click();
  await page.getByText('“Measure” is no longer muted.').waitFor();
  await chosen.getByRole('link', { name: 'Measure' }).waitFor({ state: 'detached' });
  await focused(chosen.getByRole('heading'));
  await chosen.getByRole('row', { name: 'Every change and message' }).getByRole('link').click();
  await page.waitForURL(`**/workflows/${workflowId}`);
});

it('a key that ends is shown with its end, without its prefix, and as the version before sent it', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions');
  const about = { workspace_id: owner.workspaceId, kind: 'key_expiring', record_type: 'api_key' };
  const none = { workflow_id: null, message_id: null, actor: null, read_at: null, snoozed_until: null };
  const row = (id: string, parts: object) => ({
    ...{ ...about, ...none, id, record_id: id, title: 'CI', created_at: new Date().toISOString(), ...parts },
  });
  const ends = { key_expires_at: '2031-12-07T09:00:00.000Z' };
  const data = [
    row('one', { excerpt: 'wmk_abc…', ...ends }),
    row('two', { excerpt: null, ...ends }),
    row('three', { excerpt: 'wmk_abc…' }),
  ];
  await page.route('**/v1/notifications?*', async (route) => {
    const list = await (await route.fetch()).json();
    await route.fulfill({ json: { ...list, data } });
  });
  await page.goto('/inbox');
  const rows = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem');
  await eventually(async () => expect(await rows.count()).toBe(3));
  const texts = await rows.allTextContents();
  expect(texts[0]).toContain('wmk_abc… · Dec 7, 2031CI · ');
  expect(texts[1]).toMatch(/[a-z]Dec 7, 2031CI · /);
  expect(texts[2]).toContain('wmk_abc…CI · ');
});
