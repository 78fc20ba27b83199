import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type LocalProvider,
  startProvider,
} from '../../services/accounts/test/local-provider.ts';
import { checkAccessible, focusedInDialog, signIn, useConsole } from './support/index.ts';

let provider: LocalProvider;
const app = useConsole(async (url) => {
  // Browsers allow passkeys at names, not at the address that tests use otherwise.
  const publicUrl = url.replace('127.0.0.1', 'localhost');
  provider = await startProvider(`${publicUrl}/v1/auth/oidc/callback`);
  return {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_NAME: 'Harbour ID',
  };
});
afterAll(() => provider?.stop());

describe('passkeys', () => {
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

  it('are added with the password, sign in without it, and sign nobody in once removed', async () => {
    const owner = await app.signUp('Ada Lovelace');
    const page = await app.visit('/sign-in?back=%2Faccount');
    const device = await addAuthenticator(page);
    const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
    await withPasskey.waitFor();
    await checkAccessible(page);
    await signIn(page, owner);

    const form = page.getByRole('form', { name: 'New passkey' });
    const addWith = async (password: string) => {
      await form.getByLabel('Your password').fill(password);
      await form.getByRole('button', { name: 'Add a passkey' }).click();
    };
    await form.getByLabel('Name of the passkey').fill('My laptop');
    await addWith('a wrong one');
    await form.getByText('is not your current password').waitFor();
    expect(await device.credentials()).toBe(0);
    await addWith(owner.password);
    const row = page.getByRole('row', { name: /My laptop/ });
    await row.waitFor();
    expect(await device.credentials()).toBe(1);
    await checkAccessible(page);
    // The device refuses a second one for the same account.
    await addWith(owner.password);
    await form.getByText('has a passkey of your account already').waitFor();

    await row.getByRole('button', { name: 'Rename My laptop' }).click();
    const naming = page.getByRole('dialog', { name: 'Rename the passkey' });
    expect(await focusedInDialog(page)).toBe('Name');
    await naming.getByLabel('Name').fill('Old laptop');
    await naming.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('row', { name: /Old laptop/ }).waitFor();

    const signOut = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    };
    await signOut();
    await withPasskey.click();
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();

    await page.goto('/account');
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    const removal = page.getByRole('dialog', { name: 'Remove Old laptop?' });
    expect(await focusedInDialog(page)).toBe('Your password');
    await checkAccessible(page);
    await removal.getByLabel('Your password').fill(owner.password);
    await removal.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('no longer signs you in').first().waitFor();
    await page.getByRole('row', { name: /Old laptop/ }).waitFor({ state: 'detached' });
    await signOut();
    await withPasskey.click();
    await page.getByText('This passkey did not sign you in').waitFor();

    await device.failVerification();
    await withPasskey.click();
    await page.getByText('No passkey was used').waitFor();
  });
});

describe('single sign-on', () => {
  /** The provider's own pages are on another host and load their font from a third. */
  const expects = /request to another host|fonts/;

  /** Creates a person at the provider. */
  const addPerson = (login: string, name: string, email = `${login}@example.com`) =>
    provider.people.set(login, { email, email_verified: true, name });

  /** Clicks the button for single sign-on and enters a login at the provider. */
  async function signInAtProvider(page: Page, login: string): Promise<void> {
    await page.getByRole('link', { name: 'Sign in with Harbour ID' }).click();
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('creates a new user, who then sets a first password and signs in with it', async () => {
    addPerson('grace', 'Grace Hopper');
    const page = await app.visit('/account', { expects });
    await page.getByRole('link', { name: 'Sign in with Harbour ID' }).waitFor();
    await checkAccessible(page);
    await signInAtProvider(page, 'grace');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await page.getByText('Grace Hopper, grace@example.com').waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await checkAccessible(page);

    const password = 'nine nanoseconds of wire';
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Your password is set').waitFor();
    await page.getByLabel('Current password').waitFor();

    const elsewhere = await app.visit('/sign-in');
    await signIn(elsewhere, { email: 'grace@example.com', password });
    await elsewhere.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  });

  it('returns an invited user to the invitation, who then joins', async () => {
    const owner = await app.signUp();
    const { url } = await owner.call('POST', '/invitations', { role: 'viewer' });
    addPerson('vera', 'Vera Rubin');
    const page = await app.visit(url, { expects });
    await page.getByRole('link', { name: 'Sign in with Harbour ID' }).waitFor();
    await checkAccessible(page);
    await signInAtProvider(page, 'vera');
    await page.getByText('You are signed in as vera@example.com').waitFor();
    expect(page.url()).not.toContain('wmi_');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.waitForURL(`**/w/${owner.workspaceId}/decisions`);
  });

  it('asks once for the password of an account with the same email', async () => {
    const owner = await app.signUp();
    addPerson('ada', 'Ada Lovelace', owner.email);
    const page = await app.visit('/sign-in', { expects });
    await signInAtProvider(page, 'ada');
    await page.getByRole('alert').getByText('sign in with its password once').waitFor();
    await checkAccessible(page);
    await signIn(page, owner);
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  });

  it('signs in again in another tab when the session of an open page ends', async () => {
    addPerson('joan', 'Joan Clarke');
    const page = await app.visit('/sign-in', { expects });
    await signInAtProvider(page, 'joan');
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'New decision' }).click();
    await page.getByLabel('Title').fill('Written before the end');
    const { name, value } = (await page.context().cookies()).find((one) => one.name === 'waymark_session')!;
    await app.product.call('POST', '/auth/sign-out', { cookie: `${name}=${value}` });
    await page.getByRole('button', { name: 'Log decision' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
    await dialog.getByRole('button', { name: 'I have signed in' }).click();
    await dialog.getByRole('alert').waitFor();
    await checkAccessible(page);

    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in, in another tab' }).click();
    const other = await opened;
    // The session at the provider is still valid.
    await other.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    await page.bringToFront();
    await dialog.getByRole('button', { name: 'I have signed in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByRole('heading', { name: 'Written before the end', level: 1 }).waitFor();
  });
});
