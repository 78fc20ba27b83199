import { expect, it } from '@jest/globals';
import { codeAt } from '../../services/accounts/test/authenticator-app.ts';
import { checkAccessible, focusedInDialog, signIn, useConsole } from './support/index.ts';

const app = useConsole();

const STEP_MS = 30_000;

it('an authenticator app is set up, asked for at sign-in, and required by a workspace', async () => {
  const owner = await app.signUp();
  const member = await owner.addMember('member', 'Grace Hopper');
  const page = await owner.open('settings');
  const requirement = page.getByRole('region', { name: 'Second factor' });
  expect(await requirement.getByRole('button', { name: 'Require a second factor' }).isDisabled()).toBe(true);
  await requirement.getByRole('link', { name: 'your account' }).click();

  const form = page.getByRole('form', { name: 'Authenticator app' });
  await form.getByLabel('Your password').fill(owner.password);
  await form.getByRole('button', { name: 'Add the app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor();
  expect(await focusedInDialog(page)).toContain('Code of the app');
  await checkAccessible(page);
  const secret = (await dialog.locator('pre').textContent())!.replaceAll(' ', '');
  await dialog.getByLabel('Code of the app').fill('000000');
  await dialog.getByRole('button', { name: 'Add the app' }).click();
  await dialog.getByText('is not the code that the app shows now').waitFor();
  await dialog.getByLabel('Code of the app').fill(codeAt(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Add the app' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  const text = (await codes.locator('pre').textContent())!;
  expect(text.trim().split('\n')).toHaveLength(10);
  await checkAccessible(page);
  await codes.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('10 recovery codes are left').waitFor();

  await page.goto(`/w/${owner.workspaceId}/settings`);
  await requirement.getByRole('button', { name: 'Require a second factor' }).click();
  await requirement.getByRole('button', { name: 'No longer require it' }).waitFor();

  // A member without one is led to the account, whatever page they open.
  const theirs = await member.open('decisions');
  await theirs.getByText('This workspace requires a second factor').waitFor();
  await checkAccessible(theirs);
  await theirs.getByRole('link', { name: 'To your account' }).click();
  await theirs.getByRole('form', { name: 'Authenticator app' }).waitFor();

  const again = await app.visit(`/sign-in?back=%2Fw%2F${owner.workspaceId}%2Fsettings`);
  await signIn(again, owner);
  const field = again.getByRole('textbox', { name: 'Code' });
  await field.waitFor();
  expect(await again.getByRole('alert').count()).toBe(0);
  await field.fill('000000');
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.getByText('This code did not sign you in').waitFor();
  await field.fill(codeAt(secret, Date.now() + STEP_MS));
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.getByRole('button', { name: 'No longer require it' }).waitFor();
});
