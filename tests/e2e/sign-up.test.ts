import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { copiedText } from './support/copied-text.ts';
import { createAccount } from './support/enter.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('signing up', () => {
  it('leads to an empty list of decisions with instructions', async () => {
    const page = await app.visit('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await checkAccessible(page);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await checkAccessible(page);
    await createAccount(page, 'Grace Hopper', 'grace@example.com', 'nine nanoseconds of wire');
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    await page.getByText('No decisions yet').waitFor();
    await checkAccessible(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/w\/[\w-]{36}\/decisions$/);
  });

  it('shows the error of a field beside it, and a request id to copy', async () => {
    const page = await app.visit('/sign-up');
    await createAccount(page, 'Grace Hopper', 'short@example.com', 'short');
    await page.getByRole('alert').getByText('Correct the marked fields').waitFor();
    await page.locator('input[type="password"][data-invalid]:focus').waitFor();
    await checkAccessible(page);
    const copy = page.getByRole('button', { name: 'Copy request id' });
    const requestId = await copy.getAttribute('title');
    expect(requestId).toMatch(/^[\w-]{8,}$/);
    expect(await copiedText(page, copy)).toBe(requestId);
  });
});
