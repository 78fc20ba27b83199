import { describe, expect, it } from '@jest/globals';
import { checkAccessible, copiedText, createAccount, signIn, useConsole } from './support/index.ts';

const app = useConsole();

it('signing up shows the error of a field beside it without a request id, and leads to an empty list of decisions', async () => {
  const page = await app.visit('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await createAccount(page, 'Grace Hopper', 'grace@example.com', 'short');
  await page.getByRole('alert').getByText('Correct the marked fields').waitFor();
  await page.locator('input[type="password"][data-invalid]:focus').waitFor();
  await checkAccessible(page);
  expect(await page.getByRole('button', { name: 'Copy request id' }).count()).toBe(0);

  await createAccount(page, 'Grace Hopper', 'grace@example.com', 'nine nanoseconds of wire');
  await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  await page.getByText('No decisions yet').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/w\/[\w-]{36}\/decisions$/);
});

it('a failed sign-in or sign-up is not headed as if a session had ended, or a change had conflicted', async () => {
  const owner = await app.signUp();
  const page = await app.visit('/sign-in', { expects: /401|409/ });
  await signIn(page, { email: owner.email, password: 'not the password' });
  const alert = page.getByRole('alert');
  await alert.getByText('This did not sign you in').waitFor();
  await alert.getByText('The email or the password is wrong.').waitFor();
  expect(await alert.textContent()).not.toContain('signed out');
  const copy = alert.getByRole('button', { name: 'Copy request id' });
  const requestId = await copy.getAttribute('title');
  expect(requestId).toMatch(/^[\w-]{8,}$/);
  expect(await copiedText(page, copy)).toBe(requestId);
  await page.goto('/sign-up');
  await createAccount(page, 'Mira', owner.email, 'another horse battery');
  await alert.getByText('This address has an account').waitFor();
  expect(await alert.textContent()).not.toContain('conflicts');
});

describe.each([
  ['invite', 'Ask a user of this installation for an invitation', 'Sign-up needs an invitation'],
  ['closed', 'Ask the operator of this installation for an account', 'Sign-up is closed'],
])('with SIGN_UP=%s', (SIGN_UP, instead, reason) => {
  it('there is no new account, and instructions how to get one', async () => {
    const page = await app.visit('/join');
    await page.route('**/v1/auth/methods', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), sign_up: SIGN_UP } });
    });
    await page.goto('/sign-in');
    await page.getByText(instead).waitFor();
    await page.getByRole('link', { name: 'Create an account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
    await page.goto('/sign-up');
    await page.getByText(reason).waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
  });
});
