/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible, signIn, useConsole } from './support/index.ts';

const app = useConsole();

const TITLE = 'Where the lighthouse will stand';

/** Whether the page asks for confirmation when the visitor closes the tab. */
const asksBeforeUnload = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

const storedDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('waymark.draft.')).length);

const expectTitle = (page: Page, title: string) =>
  eventually(async () => expect(await page.getByLabel('Title').inputValue()).toBe(title));

/** Types a title and waits until the browser keeps the draft. */
async function draft(page: Page, title = TITLE): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByText('Draft kept').waitFor();
}

async function discard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('button', { name: 'Discard it' }).click();
}

it('the draft of a new decision survives a closed tab, a reload and another page, until it is discarded or saved', async () => {
  const owner = await app.signUp();
  const first = await owner.open('decisions/new');
  await draft(first);
  expect(await asksBeforeUnload(first)).toBe(false);
  const page = await first.context().newPage();
  await first.close();
  await page.goto(first.url());
  await page.getByText('This is your draft, last changed').waitFor();
  await expectTitle(page, TITLE);
  await checkAccessible(page);
  await page.reload();
  await expectTitle(page, TITLE);

  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  await page.goBack();
  await expectTitle(page, TITLE);
  await discard(page);
  await expectTitle(page, '');
  expect(await storedDrafts(page)).toBe(0);

  await draft(page);
  await page.getByLabel('Title').fill('');
  await page.getByText('Draft kept').waitFor({ state: 'detached' });
  await page.getByLabel('Title').fill(TITLE);
  await page.getByRole('button', { name: 'Log decision' }).click();
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  expect(await storedDrafts(page)).toBe(0);
});

it('the draft of a new decision survives an expired session, and stays in its workspace', async () => {
  const owner = await app.signUp();
  const other = await owner.call('POST', '/workspaces', { name: 'Another' });
  const page = await owner.open('decisions/new');
  await draft(page);
  await owner.call('POST', '/auth/sign-out');
  await page.reload();
  await signIn(page, owner);
  await page.getByText('This is your draft, last changed').waitFor();
  await expectTitle(page, TITLE);
  await page.goto(`/w/${other.id}/decisions/new`);
  await expectTitle(page, '');
});

it('the draft of a new decision is deleted when its user signs out, and never shown to another one', async () => {
  const mira = await app.signUp('Mira');
  const jonas = await mira.addMember('member', 'Jonas');
  const page = await mira.open('decisions/new');
  const form = page.url();
  await draft(page);
  const other = await page.context().newPage();
  await other.goto(form);
  await expectTitle(other, TITLE);
  await page.bringToFront();
  const leave = async () => {
    await page.getByRole('button', { name: 'Account of Mira' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
  };
  await leave();
  const question = page.getByRole('dialog', { name: 'Discard your draft?' });
  await checkAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expectTitle(page, TITLE);
  await leave();
  await question.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await eventually(async () => expect(await storedDrafts(page)).toBe(0));
  await other.bringToFront();
  await other.getByLabel('Title').fill('Typed after signing out elsewhere');
  await other.getByText('This browser keeps no draft').waitFor();
  expect(await storedDrafts(page)).toBe(0);
  await other.close();

  await page.goto(form);
  await signIn(page, mira);
  await draft(page);
  await page.context().clearCookies();
  await page.goto(form);
  await signIn(page, jonas);
  await expectTitle(page, '');
  expect(await storedDrafts(page)).toBe(0);
});

it('the draft of a new decision is that of the tab in which the user typed last, and another tab says so and asks', async () => {
  const owner = await app.signUp();
  const first = await owner.open('decisions/new');
  const second = await first.context().newPage();
  await second.goto(first.url());
  await first.bringToFront();
  await draft(first);
  await second.bringToFront();
  await draft(second, 'Another one');
  await first.bringToFront();
  await first.getByText('This browser keeps no draft of this form').waitFor();
  expect(await asksBeforeUnload(first)).toBe(true);
  expect(await asksBeforeUnload(second)).toBe(false);
  await expectTitle(first, TITLE);
});

it('the draft of an edit says that it began with an older version, and overwrites nothing unasked', async () => {
  const owner = await app.signUp();
  const path = `/decisions/${await owner.decide('Paint it red', { resolution: 'Red' })}`;
  const page = await owner.open(`${path.slice(1)}/edit`);
  await draft(page, 'Paint it blue');
  await page.reload();
  await page.getByText('This is your draft, last changed').waitFor();
  await owner.call('PATCH', path, { title: 'Paint it green', criteria: ['Far'] });
  await page.reload();
  await page.getByText('The decision has changed since you began this draft').waitFor();
  await expectTitle(page, 'Paint it blue');
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('table', { name: 'Yours and theirs' }).getByText('Paint it green').waitFor();
  expect((await owner.call('GET', path)).title).toBe('Paint it green');
  await page.getByRole('button', { name: 'Save mine over theirs' }).click();
  await page.getByRole('heading', { name: 'Paint it blue', level: 1 }).waitFor();
  const saved = await owner.call('GET', path);
  expect(saved).toMatchObject({ title: 'Paint it blue', criteria: ['Far'], resolution: 'Red' });
  expect(await storedDrafts(page)).toBe(0);

  await page.getByRole('link', { name: 'Edit' }).click();
  await draft(page, 'Paint it black');
  await owner.call('PATCH', path, { title: 'Paint it white' });
  await page.reload();
  await discard(page);
  await expectTitle(page, 'Paint it white');
});
