/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const TITLE = 'Where the lighthouse will stand';

/** Whether the page asks for confirmation when the visitor closes the tab. */
const asksBeforeUnload = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

const storedDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('waymark.draft.')).length);

const expectTitle = (page: Page, title: string) =>
  eventually(async () => expect(await page.getByLabel('Title').inputValue()).toBe(title));

const kept = (page: Page) => page.getByText('Draft kept').waitFor();

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('the draft of a new decision', () => {
  it('survives a closed tab, a reload and another page, until it is discarded or saved', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const form = `/w/${workspaceId}/decisions/new`;
    const first = await app.visit(form, { cookie });
    await first.getByLabel('Title').fill(TITLE);
    await kept(first);
    await checkAccessible(first);
    expect(await asksBeforeUnload(first)).toBe(false);
    const page = await first.context().newPage();
    await first.close();
    await page.goto(form);
    await page.getByText('This is your draft of').waitFor();
    await expectTitle(page, TITLE);
    await checkAccessible(page);
    await page.reload();
    await expectTitle(page, TITLE);

    await page.getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.goBack();
    await expectTitle(page, TITLE);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await expectTitle(page, '');
    expect(await storedDrafts(page)).toBe(0);

    await page.getByLabel('Title').fill(TITLE);
    await kept(page);
    await page.getByLabel('Title').fill('');
    await page.getByText('Draft kept').waitFor({ state: 'detached' });
    await page.getByLabel('Title').fill(TITLE);
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
    expect(await storedDrafts(page)).toBe(0);
  });

  it('survives an expired session, and stays in its workspace', async () => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    const body = { name: 'Another' };
    const other = (await app.product.call('POST', '/workspaces', { cookie, body })).body;
    const page = await app.visit(`/w/${workspaceId}/decisions/new`, { cookie });
    await page.getByLabel('Title').fill(TITLE);
    await kept(page);
    await app.product.call('POST', '/auth/sign-out', { cookie });
    await page.reload();
    await signIn(page, owner);
    await page.getByText('This is your draft of').waitFor();
    await expectTitle(page, TITLE);
    await page.goto(`/w/${other.id}/decisions/new`);
    await expectTitle(page, '');
  });

  it('is deleted when its user signs out, and never shown to another one', async () => {
    const [mira, jonas] = [await app.product.signUp('Mira'), await app.product.signUp('Jonas')];
    await app.product.addMember(mira, jonas, 'member');
    const form = `/w/${mira.workspaceId}/decisions/new`;
    const page = await app.visit(form, { cookie: mira.cookie });
    await page.getByLabel('Title').fill(TITLE);
    await kept(page);
    const other = await page.context().newPage();
    await other.goto(form);
    await expectTitle(other, TITLE);
    await page.getByRole('button', { name: 'Account of Mira' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: 'Discard your draft?' });
    await checkAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expectTitle(page, TITLE);
    await page.getByRole('button', { name: 'Account of Mira' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question.getByRole('button', { name: 'Discard and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await eventually(async () => expect(await storedDrafts(page)).toBe(0));
    await other.getByLabel('Title').fill('Typed after signing out elsewhere');
    await other.getByText('This browser keeps no draft').waitFor();
    expect(await storedDrafts(page)).toBe(0);
    await other.close();

    await page.goto(form);
    await signIn(page, mira);
    await page.getByLabel('Title').fill(TITLE);
    await kept(page);
    await page.context().clearCookies();
    await page.goto(form);
    await signIn(page, jonas);
    await expectTitle(page, '');
    expect(await storedDrafts(page)).toBe(0);
  });
});

describe('the draft of two tabs', () => {
  it('is that of the tab in which the user typed last, and the other one says so and asks', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const form = `/w/${workspaceId}/decisions/new`;
    const first = await app.visit(form, { cookie });
    const second = await first.context().newPage();
    await second.goto(form);
    await first.getByLabel('Title').fill(TITLE);
    await kept(first);
    await second.getByLabel('Title').fill('Another one');
    await kept(second);
    await first.getByText('This browser keeps no draft of this form').waitFor();
    expect(await asksBeforeUnload(first)).toBe(true);
    expect(await asksBeforeUnload(second)).toBe(false);
    await expectTitle(first, TITLE);
  });
});

describe('the draft of an edit', () => {
  it('says that it began with an older version, and overwrites nothing unasked', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const body = { workspaceId, title: 'Paint it red', resolution: 'Red' };
    const { id } = (await app.product.call('POST', '/decisions', { cookie, body })).body;
    const path = `/decisions/${id}?workspaceId=${workspaceId}`;
    const page = await app.visit(`/w/${workspaceId}/decisions/${id}/edit`, { cookie });
    await page.getByLabel('Title').fill('Paint it blue');
    await kept(page);
    await page.reload();
    await page.getByText('This is your draft of').waitFor();
    await app.product.call('PATCH', path, { cookie, body: { title: 'Paint it green', criteria: ['Far'] } });
    await page.reload();
    await page.getByText('The decision has changed since you began this draft').waitFor();
    await expectTitle(page, 'Paint it blue');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('table', { name: 'Yours and theirs' }).getByText('Paint it green').waitFor();
    expect((await app.product.call('GET', path, { cookie })).body.title).toBe('Paint it green');
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByRole('heading', { name: 'Paint it blue', level: 1 }).waitFor();
    const saved = (await app.product.call('GET', path, { cookie })).body;
    expect(saved).toMatchObject({ title: 'Paint it blue', criteria: ['Far'], resolution: 'Red' });
    expect(await storedDrafts(page)).toBe(0);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Paint it black');
    await kept(page);
    await app.product.call('PATCH', path, { cookie, body: { title: 'Paint it white' } });
    await page.reload();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await expectTitle(page, 'Paint it white');
  });
});
