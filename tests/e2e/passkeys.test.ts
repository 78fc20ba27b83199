import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { focusedInDialog } from './support/focused-in-dialog.ts';
import { useConsole } from './support/use-console.ts';

/** Browsers allow passkeys at names, not at the address that tests use otherwise. */
const named = (url: string) => url.replace('127.0.0.1', 'localhost');
const app = useConsole(async (publicUrl) => ({ PUBLIC_URL: named(publicUrl) }));

/** Gives the page's browser a device with a screen lock; returns its parts that a test changes. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    failVerification: () =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}

describe('passkeys', () => {
  it('are added with the password, sign in without it, and sign nobody in once removed', async () => {
    const { email, password } = await app.product.signUp('Ada Lovelace');
    const page = await app.visit(`${named(app.product.url)}/sign-in?back=%2Faccount`);
    const device = await addAuthenticator(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await checkAccessible(page);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    const form = page.getByRole('form', { name: 'New passkey' });
    await form.getByLabel('Name of the passkey').fill('My laptop');
    await form.getByLabel('Your password').fill('a wrong one');
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    await form.getByText('is not your current password').waitFor();
    expect(await device.credentials()).toBe(0);
    await form.getByLabel('Your password').fill(password);
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    const row = page.getByRole('row', { name: /My laptop/ });
    await row.waitFor();
    expect(await device.credentials()).toBe(1);
    await checkAccessible(page);
    // The device refuses a second one for the same account.
    await form.getByLabel('Your password').fill(password);
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    await form.getByText('has a passkey of your account already').waitFor();

    await row.getByRole('button', { name: 'Rename My laptop' }).click();
    const naming = page.getByRole('dialog', { name: 'Rename the passkey' });
    expect(await focusedInDialog(page)).toBe('Name');
    await naming.getByLabel('Name').fill('Old laptop');
    await naming.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('row', { name: /Old laptop/ }).waitFor();

    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();

    await page.goto(`${named(app.product.url)}/account`);
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    const removal = page.getByRole('dialog', { name: 'Remove Old laptop?' });
    expect(await focusedInDialog(page)).toBe('Your password');
    await checkAccessible(page);
    await removal.getByLabel('Your password').fill(password);
    await removal.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('no longer signs you in').first().waitFor();
    await page.getByRole('row', { name: /Old laptop/ }).waitFor({ state: 'detached' });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey did not sign you in').waitFor();

    await device.failVerification();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
  });
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
}
