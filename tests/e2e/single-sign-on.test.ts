import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type LocalProvider,
  startProvider,
} from '../../services/accounts/test/local-provider.ts';
import { checkAccessible } from './support/check-accessible.ts';
import { signIn } from './support/enter.ts';
import { useConsole } from './support/use-console.ts';

const PASSWORD = 'nine nanoseconds of wire';
/** The provider's own pages are on another host and load their font from a third. */
const PROVIDER = /request to another host|fonts/;

let provider: LocalProvider;
const app = useConsole(async (publicUrl) => {
  provider = await startProvider(`${publicUrl}/v1/auth/oidc/callback`);
  return {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_NAME: 'Harbour ID',
  };
});
afterAll(() => provider?.stop());

/** Clicks the button for single sign-on and enters a login at the provider. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Harbour ID' }).click();
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('single sign-on', () => {
  it('creates a new user, who then sets a first password and signs in with it', async () => {
    provider.people.set('grace', { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' });
    const page = await app.visit('/account', { expects: PROVIDER });
    await page.getByRole('link', { name: 'Sign in with Harbour ID' }).waitFor();
    await checkAccessible(page);
    await signInAtProvider(page, 'grace');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await page.getByText('Grace Hopper, grace@example.com').waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await checkAccessible(page);

    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Your password is set').waitFor();
    await page.getByLabel('Current password').waitFor();

    const elsewhere = await app.visit('/sign-in');
    await signIn(elsewhere, { email: 'grace@example.com', password: PASSWORD });
    await elsewhere.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  });

  it('returns an invited user to the invitation, who then joins', async () => {
    const owner = await app.product.signUp();
    const body = { workspaceId: owner.workspaceId, role: 'viewer' };
    const made = await app.product.call('POST', '/invitations', { cookie: owner.cookie, body });
    const link = new URL(made.body.url);
    provider.people.set('vera', { email: 'vera@example.com', email_verified: true, name: 'Vera Rubin' });
    const page = await app.visit(link.pathname + link.hash, { expects: PROVIDER });
    await page.getByRole('link', { name: 'Sign in with Harbour ID' }).waitFor();
    await checkAccessible(page);
    await signInAtProvider(page, 'vera');
    await page.getByText('You are signed in as vera@example.com').waitFor();
    expect(page.url()).not.toContain('wmi_');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.waitForURL(`**/w/${owner.workspaceId}/decisions`);
  });

  it('asks once for the password of an account with the same email', async () => {
    const owner = await app.product.signUp();
    provider.people.set('ada', { email: owner.email, email_verified: true, name: 'Ada Lovelace' });
    const page = await app.visit('/sign-in', { expects: PROVIDER });
    await signInAtProvider(page, 'ada');
    await page.getByRole('alert').getByText('sign in with its password once').waitFor();
    await checkAccessible(page);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel(/^Password/).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
  });

  it('signs in again in another tab when the session of an open page ends', async () => {
    provider.people.set('joan', { email: 'joan@example.com', email_verified: true, name: 'Joan Clarke' });
    const page = await app.visit('/sign-in', { expects: PROVIDER });
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
    await dialog.getByRole('button', { name: 'I have signed in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByRole('heading', { name: 'Written before the end', level: 1 }).waitFor();
  });
});
