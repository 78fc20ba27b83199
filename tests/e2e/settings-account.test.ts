import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** Gateways learn of the end of a session when the page does, not before. */
const hasEnded = (cookie: string) =>
  eventually(async () => expect((await app.product.call('GET', '/auth/me', { cookie })).status).toBe(401));

describe('the account', () => {
  it('lists the sessions and ends one of them', async () => {
    const owner = await app.product.signUp();
    const { email, password } = owner;
    const elsewhere = await app.product.call('POST', '/auth/sign-in', {
      body: { email, password },
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' },
    });
    const stolen = elsewhere.cookies[0]!.split(';')[0]!;
    const page = await app.visit('/account', { cookie: owner.cookie });
    await page.getByText('This one').waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Sign out Firefox 140 on Windows' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out Firefox 140 on Windows?' });
    expect((await app.product.call('GET', '/auth/me', { cookie: stolen })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('That session has ended').waitFor();
    await hasEnded(stolen);
  });

  it('changes the name beside the workspace’s navigation, also where the workspace shows it', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('link', { name: 'Account and sessions' }).click();
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Change name' }).click();
    await page.getByText('Your name is Grace Hopper now').waitFor();
    await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
    await checkAccessible(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('cell', { name: /^Grace Hopper/ }).waitFor();
  });

  it('changes the password and ends every other session', async () => {
    const owner = await app.product.signUp();
    const { email, password } = owner;
    const elsewhere = await app.product.call('POST', '/auth/sign-in', { body: { email, password } });
    const page = await app.visit('/account', { cookie: owner.cookie });
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('four unrelated words here');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed').waitFor();
    await hasEnded(elsewhere.cookies[0]!.split(';')[0]!);
    const again = { email, password: 'four unrelated words here' };
    expect((await app.product.call('POST', '/auth/sign-in', { body: again })).status).toBe(200);
  });
});
