/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('the shell', () => {
  it('switches workspaces by keyboard', async () => {
    const owner = await app.product.signUp();
    const body = { name: 'Second workspace' };
    const second = await app.product.call('POST', '/workspaces', { cookie: owner.cookie, body });
    const page = await app.visit('/', { cookie: owner.cookie });
    await page.getByText('No decisions yet').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to content' }).and(page.locator(':focus')).waitFor();
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Second workspace/ }).waitFor();
    await checkAccessible(page);
    await page.getByRole('link', { name: /Second workspace/ }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${second.body.id}/decisions`);
    await page.getByRole('button', { name: 'Second workspace' }).waitFor();
    await page.goto('/');
    await page.waitForURL(`**/w/${second.body.id}/decisions`);
  });

  it('tells a removed member that the workspace is not available', async () => {
    const owner = await app.product.signUp();
    const member = await app.product.signUp();
    const memberId = await app.product.addMember(owner, member, 'member');
    const page = await app.visit(`/w/${owner.workspaceId}/decisions`, { cookie: member.cookie });
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    await app.product.call('DELETE', `/members/${memberId}`, { cookie: owner.cookie });
    // When the tab is shown again after a while, the page checks the session.
    await page.clock.setFixedTime(Date.now() + 120_000);
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await page.getByText('There is nothing at this address').waitFor();
    await page.getByRole('link', { name: 'Go to your workspace' }).click();
    await page.waitForURL(`**/w/${member.workspaceId}/decisions`);
  });

  it('keeps the chosen color scheme', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/', { cookie: owner.cookie });
    await page.getByRole('button', { name: 'Use dark colors' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Use light colors' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  });

  it('shows a menu button instead of the navigation on a small screen', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/', { cookie: owner.cookie, width: 360, height: 740 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
  });

  it('reports an unknown address, and an address in another workspace', async () => {
    const owner = await app.product.signUp();
    const stranger = await app.product.signUp();
    const page = await app.visit(`/w/${stranger.workspaceId}/decisions`, { cookie: owner.cookie });
    await page.getByText('There is nothing at this address').waitFor();
    await checkAccessible(page);
    await page.goto('/nowhere');
    await page.getByText('There is nothing at this address').waitFor();
  });
});
