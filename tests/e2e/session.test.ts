/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { useConsole } from './use-console.ts';

const app = useConsole();

describe('a session', () => {
  it('begins where the visitor wanted to go, and ends by signing out', async () => {
    const owner = await app.product.signUp();
    const wanted = `/w/${owner.workspaceId}/workflows`;
    const page = await app.visit(wanted);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel(/^Password/).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(wanted);
    await page.evaluate(() => sessionStorage.setItem('waymark.recent.somewhere', '[]'));
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.waitForFunction(() => sessionStorage.getItem('waymark.recent.somewhere') === null);
    await page.goto(wanted);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('refuses a wrong password in words', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/sign-in');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The email or the password is wrong.').waitFor();
  });

  it('never leads to another site after signing in', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/sign-in?back=%2F%2Fevil.example%2F');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel(/^Password/).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    expect(new URL(page.url()).origin).toBe(app.product.url);
  });
});
