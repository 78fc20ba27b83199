import { describe, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

describe('when sign-up requires an invitation', () => {
  const app = useConsole({ SIGN_UP: 'invite' });

  it('offers no new account, and explains how to get one', async () => {
    const page = await app.visit('/sign-in');
    await page.getByText('Ask a user of this installation for an invitation').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
    await page.goto('/sign-up');
    await page.getByText('Sign-up needs an invitation').waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
  });
});

describe('when sign-up is closed', () => {
  const app = useConsole({ SIGN_UP: 'closed' });

  it('offers no new account', async () => {
    const page = await app.visit('/sign-in');
    await page.getByText('Ask the operator of this installation for an account').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).waitFor({ state: 'detached' });
    await page.goto('/sign-up');
    await page.getByText('Sign-up is closed').waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
  });
});
