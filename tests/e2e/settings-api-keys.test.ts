import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { copiedText } from './support/copied-text.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();
const DAY_MS = 86_400_000;

describe('API keys', () => {
  it('are created, shown once, used, rotated with an overlap and revoked', async () => {
    const owner = await app.product.signUp();
    const { workspaceId } = owner;
    const whoami = (key: string) => app.product.call('GET', '/whoami', { key });
    const page = await app.visit(`/w/${workspaceId}/settings/api-keys`, { cookie: owner.cookie });
    await page.getByText('No API keys yet').waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('Nightly report');
    await dialog.getByLabel('Read and write').check();
    await dialog.getByLabel('Valid for').selectOption('30 days');
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.getByLabel('API key', { exact: true }).textContent())!;
    expect(await copiedText(page, dialog.getByRole('button', { name: 'Copy', exact: true }))).toBe(key);
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    expect((await whoami(key)).body).toMatchObject({ keyName: 'Nightly report', scopes: ['read', 'write'] });
    await page.getByText('from 127.0.0.0/8 and ::1').waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    await checkAccessible(page);

    await page.getByRole('button', { name: 'Rotate Nightly report' }).click();
    const rotation = page.getByRole('dialog', { name: 'Rotate Nightly report' });
    await rotation.getByLabel(/How long/).selectOption('An hour');
    await rotation.getByRole('button', { name: 'Rotate' }).click();
    const next = (await rotation.getByLabel('API key', { exact: true }).textContent())!;
    await rotation.getByRole('button', { name: 'I have copied it' }).click();
    expect([(await whoami(key)).status, (await whoami(next)).status]).toEqual([200, 200]);
    await page.getByText('replaced').waitFor();

    await page.getByRole('button', { name: 'Revoke Nightly report' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Nightly report is revoked').waitFor();
    // Gateways learn of the revocation when the page does, not before.
    await eventually(async () => expect((await whoami(next)).status).toBe(401));
    expect((await whoami(key)).status).toBe(200);

    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByLabel('Name').fill('Hourly report');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const reader = (await dialog.getByLabel('API key', { exact: true }).textContent())!;
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    const body = { workspaceId, title: 'Written by a reader' };
    expect((await app.product.call('POST', '/decisions', { key: reader, body })).status).toBe(403);
    await page.getByRole('button', { name: 'Rotate Hourly report' }).click();
    const atOnce = page.getByRole('dialog', { name: 'Rotate Hourly report' });
    await atOnce.getByLabel(/How long/).selectOption('It stops working at once');
    // Only this dialog shows the new key, so the dialog cannot be closed before the key arrives.
    const isPressed = Promise.withResolvers<void>();
    await page.route('**/v1/api-keys/*/rotate', async (route) => {
      await isPressed.promise;
      await route.continue();
    });
    await atOnce.getByRole('button', { name: 'Rotate' }).click();
    await atOnce.locator('button[data-loading]').waitFor();
    await page.keyboard.press('Escape');
    isPressed.resolve();
    const newReader = (await atOnce.getByLabel('API key', { exact: true }).textContent())!;
    await atOnce.getByRole('button', { name: 'I have copied it' }).click();
    await eventually(async () => expect((await whoami(reader)).status).toBe(401));
    expect((await whoami(newReader)).status).toBe(200);
  });

  it('show their last use and their expiry', async () => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    const expiresAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const used = await app.product.createKey(owner, ['read'], { name: 'Used', expiresAt });
    await app.product.createKey(owner, ['read'], { name: 'Idle' });
    const page = await app.visit(`/w/${workspaceId}/settings/api-keys`, { cookie });
    await page.clock.install();
    await page.reload();
    const row = page.getByRole('row', { name: 'Used' });
    await row.getByText('never').waitFor();
    expect((await app.product.call('GET', '/whoami', { key: used })).status).toBe(200);
    const keys = async (): Promise<{ name: string; last_used_at: string | null }[]> =>
      (await app.product.call('GET', '/api-keys', { cookie, query: { workspaceId } })).body.data;
    const lastUsed = await eventually(async () => {
      const at = (await keys()).find(({ name }) => name === 'Used')?.last_used_at;
      expect(at).toEqual(expect.any(String));
      return at!;
    });

    // The open page learns of the use without a reload.
    await page.clock.fastForward(10_000);
    await row.locator(`time[datetime="${lastUsed}"]`).waitFor();
    await row.locator(`time[datetime="${expiresAt}"]`).waitFor();
    await row.getByText('active').waitFor();
    await page.getByRole('row', { name: 'Idle' }).getByText('never').waitFor();
    await page.clock.setFixedTime(Date.now() + 31 * DAY_MS);
    await page.reload();
    await row.getByText('expired').waitFor();
    expect(await page.getByRole('button', { name: /(Rotate|Revoke) Used/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Rotate Idle' }).waitFor();
  });

  it('report which field is invalid', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/settings/api-keys`, { cookie: owner.cookie });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('Wrong');
    await dialog.getByLabel('Allowed addresses').fill('not an address');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Entry 1 must be an IP address').waitFor();
  });
});
