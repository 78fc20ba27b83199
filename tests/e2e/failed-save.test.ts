/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** Waits until this element, or one inside it, has the focus and is on the screen. */
const expectFocus = (element: Locator) =>
  eventually(async () => {
    const isShown = await element.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const isOnScreen = bottom > 56 && top >= 0 && top < innerHeight;
      return { hasFocus: one.contains(document.activeElement), isOnScreen };
    });
    expect(isShown).toEqual({ hasFocus: true, isOnScreen: true });
  });

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

describe('a save that fails', () => {
  it('focuses the first field in error, or the message', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/decisions/new`, { cookie, height: 600 });
    const save = page.getByRole('button', { name: 'Log decision' });
    const title = page.getByRole('textbox', { name: 'Title' });
    expect(await title.getAttribute('required')).not.toBeNull();
    await save.click();
    await expectFocus(title);
    await checkAccessible(page);

    await page.keyboard.type('x'.repeat(301));
    await save.click();
    await expectFocus(title);
    await title.fill('Where the lighthouse will stand');
    await page.context().setOffline(true);
    await save.click();
    await expectFocus(page.locator('[data-failure]', { has: alert(page, 'Waymark does not answer') }));
    await page.context().setOffline(false);
    await save.click();
    await page.getByRole('heading', { name: 'Where the lighthouse will stand', level: 1 }).waitFor();
  });

  it('opens the section of the first field in error', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/decisions/new`, { cookie, height: 600 });
    await page.route('**/v1/decisions', (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: 'VALIDATION_ERROR',
          message: 'decidedBy: is not a member',
          issues: [{ path: 'decidedBy', message: 'is not a member' }],
        },
      }),
    );
    await page.getByLabel('Title').fill('Where the lighthouse will stand');
    expect(await page.getByLabel('Decided by').count()).toBe(0);
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByText('is not a member').waitFor();
    await expectFocus(page.getByLabel('Decided by'));
  });

  it('overwrites the changes of another user only by a separate action', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const body = { workspaceId, title: 'Paint it red', resolution: 'Red' };
    const { id } = (await app.product.call('POST', '/decisions', { cookie, body })).body;
    const path = `/decisions/${id}?workspaceId=${workspaceId}`;
    const page = await app.visit(`/w/${workspaceId}/decisions/${id}/edit`, { cookie, height: 600 });
    await page.getByLabel('Title').fill('Paint it blue');
    await app.product.call('PATCH', path, { cookie, body: { title: 'Paint it green' } });
    const conflict = page.locator('[data-failure]', { has: alert(page, 'Somebody else changed') });
    for (const _ of ['the first press', 'the second press']) {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expectFocus(conflict);
    }
    expect((await app.product.call('GET', path, { cookie })).body.title).toBe('Paint it green');
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByRole('heading', { name: 'Paint it blue', level: 1 }).waitFor();
  });

  it('shows the messages of the server at the fields of a dialog', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/settings/api-keys`, { cookie, height: 500 });
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('Deploys');
    const addresses = dialog.getByRole('textbox', { name: 'Allowed addresses' });
    await addresses.fill('203.0.113.1\nhere\nthere');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expectFocus(addresses);
    expect(await dialog.textContent()).not.toContain('allowedIps');
    await checkAccessible(page);
  });
});
