import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './check-accessible.ts';
import { useConsole } from './use-console.ts';

const app = useConsole();

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
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.getByLabel('API key', { exact: true }).textContent())!;
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    expect((await whoami(key)).body).toMatchObject({ keyName: 'Nightly report', scopes: ['read', 'write'] });
    await page.getByText('from 127.0.0.0/8, ::1').waitFor();
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
    expect([(await whoami(key)).status, (await whoami(next)).status]).toEqual([200, 401]);
  });

  it('say in words which entry is wrong', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/settings/api-keys`, { cookie: owner.cookie });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('Wrong');
    await dialog.getByLabel('Allowed addresses').fill('not an address');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText('must be an IP address').first().waitFor();
  });
});
