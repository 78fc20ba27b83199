import { describe, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

describe('when sign-up requires an invitation', () => {
  const app = useConsole({ SIGN_UP: 'invite' });

  it('offers no new account, and explains how to get one', async () => {
    const page = await app.visit('/sign-in');
    await page.getByText('can invite you').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
    await page.goto('/sign-up');
    await page.getByText('takes new people by invitation').waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
  });
});

describe('when sign-up is closed', () => {
  const app = useConsole({ SIGN_UP: 'closed' });

  it('offers no new account', async () => {
    const page = await app.visit('/sign-in');
    await page.getByText('The operator of this installation makes the accounts').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).waitFor({ state: 'detached' });
    await page.goto('/sign-up');
    await page.getByText('takes no new people by itself').waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
  });
});
