import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { useConsole } from './support/index.ts';

const app = useConsole();

/** Gateways learn of the end of a session when the page does, not before. */
const hasEnded = (cookie: string) =>
  eventually(async () => expect((await app.product.call('GET', '/auth/me', { cookie })).status).toBe(401));

it('the page of the account changes the name, ends one session, and changes the password, which ends every other session', async () => {
  const owner = await app.signUp();
  const stolen = await owner.signIn('Mozilla/5.0 (Windows NT 10.0) Firefox/140.0');
  const other = await owner.signIn();
  const page = await owner.open('settings/members');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('link', { name: 'Account and sessions' }).click();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  // The navigation of the workspace stays.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace Hopper');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByText('Your name is Grace Hopper now').waitFor();
  await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('cell', { name: /^Grace Hopper/ }).waitFor();

  await page.goto('/account');
  await page.getByText('This one').waitFor();
  await page.getByRole('button', { name: 'Sign out Firefox 140 on Windows' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out Firefox 140 on Windows?' });
  expect((await app.product.call('GET', '/auth/me', { cookie: stolen })).status).toBe(200);
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('That session has ended').waitFor();
  await hasEnded(stolen);

  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('four unrelated words here');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('main').getByRole('alert').waitFor();
  expect((await app.product.call('GET', '/auth/me', { cookie: other })).status).toBe(200);
  await page.getByLabel('Current password').fill(owner.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed').waitFor();
  await hasEnded(other);
  const again = { email: owner.email, password: 'four unrelated words here' };
  expect((await app.product.call('POST', '/auth/sign-in', { body: again })).status).toBe(200);
});

it('each setting of the account stands from the start, and says by itself why its content is missing', async () => {
  const owner = await app.signUp();
  const page = await app.visit('/waymark.svg', { ...owner, expects: /^503 of / });
  const fail = { status: 503, json: { error: 'SERVICE_UNAVAILABLE', message: 'It restarts.' } };
  await page.route('**/v1/auth/me?include=*', (route) => route.fulfill(fail));
  await page.goto('/account');
  const problemIn = (name: string) => page.getByRole('region', { name }).getByRole('alert').waitFor();
  for (const name of ['Notifications by e-mail', 'Sessions', 'Authenticator app', 'Passkeys'])
    await problemIn(name);
  await page.getByRole('region', { name: 'What you watch' }).getByText('You watch nothing').waitFor();
});
