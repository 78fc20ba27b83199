/// <reference lib="dom" />
import { afterAll, expect, it } from '@jest/globals';
import { answer, eventually, startWebhookReceiver } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { fillWorkspace, openMore, show, useConsole } from './support/index.ts';

const app = useConsole();

/** A text without a place to break, as long as a field allows. */
const long = (length: number) => 'Waymark'.repeat(length).slice(0, length);

const receiver = await startWebhookReceiver();
receiver.behave(answer(400, { body: long(300), headers: { 'x-long': long(300) } }));
afterAll(() => receiver.stop());

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

it('a text without a place to break makes no page scroll sideways, and is cut off nowhere', async () => {
  const { owner, screens, paths } = await fillWorkspace(app, { text: long, endpoint: receiver.url });
  await owner.signIn(long(300));
  const decision = `/${paths['decision']}`;
  await owner.call('PATCH', decision, { title: long(298), outcome: 'partial', outcomeNotes: long(300) });
  const invitation = await owner.call('POST', '/invitations', { role: 'viewer' });
  // The receiver refuses the event.
  await owner.decide(long(297));
  await eventually(async () =>
    expect(await owner.call('GET', `/${paths['webhook']}/stats`)).toMatchObject({ failed: 1 }),
  );
  const page = await owner.open('settings', { width: 1440 });
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name });
  const option = page.locator('[role="option"]').first();
  const faults: string[] = [];
  const check = async () => void faults.push(...(await tooWide(page)));
  const open = async (path: string, shown = 'main h1') => {
    await page.goto(new URL(path, `${app.product.url}/w/${owner.workspaceId}/`).href);
    await page.locator(shown).first().waitFor();
  };
  const checkDialog = async () => {
    await dialog.waitFor();
    await check();
  };
  const closeDialog = async () => {
    await inDialog('Close').click();
    await dialog.waitFor({ state: 'detached' });
  };
  const checkMessage = async () => {
    await page
      .getByRole('status')
      .getByText(/Waymark/)
      .last()
      .waitFor();
    await check();
  };

  for (const screen of screens) {
    await show(page, screen);
    await check();
  }
  await open(paths['successor']!, '#facts');
  await check();

  await open('decisions', '[role="search"]');
  for (const popover of [page.locator('header button[popovertarget]').first(), button(/^Account of/)]) {
    await popover.click();
    await check();
    await page.keyboard.press('Escape');
  }
  await button('Add filter').click();
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await option.waitFor();
  await check();
  await page.keyboard.press('Escape');
  await button(/^search/i).click();
  await page.getByRole('combobox', { name: /^Search/ }).fill('waymark');
  await page
    .getByRole('option', { name: /waymark/i })
    .first()
    .waitFor();
  await checkDialog();
  await closeDialog();
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await button(/^Tag$/).click();
  await dialog.getByRole('combobox', { name: 'Tag' }).click();
  await option.waitFor();
  await checkDialog();
  await open('decisions', '[role="search"]');
  await page.getByRole('searchbox', { name: 'Title contains' }).fill(long(300));
  await page.waitForURL('**/decisions?text=*');
  await button('Views').click();
  await page.getByLabel('Save this view as').fill(long(60));
  await button('Save').click();
  await page.getByRole('link', { name: long(60) }).waitFor();
  await check();

  await open(paths['decision']!);
  await openMore(page);
  await button('Delete').click();
  await checkDialog();
  await closeDialog();
  await button('Log outcome').click();
  await dialog.getByLabel(/^Notes/).fill(long(300));
  await check();

  await open(paths['workflow']!, '.react-flow__node');
  await page.getByRole('combobox', { name: 'Go to a node' }).click();
  await option.waitFor();
  await check();
  await page.keyboard.press('Escape');
  await page.locator('.react-flow__node').last().press('c');
  await checkDialog();
  await closeDialog();
  await page.locator('.react-flow__edge').first().press('Enter');
  await page.getByLabel('Condition').waitFor();
  await check();
  await open('workflows');
  await openMore(page, /^More actions for/);
  await button('Rename').click();
  await checkDialog();
  await closeDialog();
  await openMore(page, /^More actions for/);
  await button('Delete').click();
  await inDialog('Delete workflow').click();
  await checkMessage();

  await open('insight');
  await page
    .getByLabel(/^Outcome of/)
    .first()
    .selectOption('partial');
  await button(/^Log outcome of/).click();
  await checkMessage();
  await open(paths['webhook']!);
  await page.getByRole('link', { name: 'decision.created' }).click();
  await page.getByRole('region', { name: 'Sent in attempt 1' }).waitFor();
  await check();
  await open('settings');
  await button('Delete workspace').click();
  await checkDialog();
  await open('settings/members');
  const role = page.getByRole('cell', { name: 'Viewer: read only' }).getByRole('combobox');
  await role.selectOption('member');
  await inDialog('Change role').click();
  await checkMessage();
  await openMore(page, /^More actions for/);
  await button(/^(Remove|Leave)/).click();
  await checkDialog();
  await open('settings/api-keys');
  await openMore(page, /^More actions for/);
  await button('Rotate').click();
  await inDialog('Rotate').click();
  await dialog.getByLabel('API key', { exact: true }).waitFor();
  await checkDialog();
  await inDialog('I have copied it').click();
  await openMore(page, /^More actions for/);
  await button('Revoke').click();
  await inDialog('Revoke').click();
  await checkMessage();
  await open('/account');
  await page.getByRole('textbox', { name: 'Name' }).first().fill(long(199));
  await button('Change name').click();
  await checkMessage();
  await button(/^Sign out Way/).click();
  await checkDialog();
  await open(`/join${new URL(invitation.url).hash}`, 'main :text("Waymarkway")');
  await check();
  expect(faults).toEqual([]);
});
