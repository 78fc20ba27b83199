import { describe, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

describe('where sign-up takes an invitation', () => {
  const app = useConsole({ SIGN_UP: 'invite' });

  it('offers no account of one’s own, and says how to get one', async () => {
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

describe('where sign-up is closed', () => {
  const app = useConsole({ SIGN_UP: 'closed' });

  it('offers none at all', async () => {
    const page = await app.visit('/sign-in');
    await page.getByText('The operator of this installation makes the accounts').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).waitFor({ state: 'detached' });
    await page.goto('/sign-up');
    await page.getByText('takes no new people by itself').waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' });
    await checkAccessible(page);
  });
});
