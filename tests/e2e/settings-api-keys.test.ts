import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible, copiedText, openMore, useConsole } from './support/index.ts';

const app = useConsole();
const DAY_MS = 86_400_000;

it('API keys are created, shown once, used, rotated with an overlap and revoked', async () => {
  const owner = await app.signUp();
  const whoami = (key: string) => app.product.call('GET', '/whoami', { key });
  const page = await owner.open('settings/api-keys');
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

  await openMore(page, 'Nightly report');
  await page.getByRole('button', { name: 'Rotate' }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate Nightly report' });
  await rotation.getByLabel(/How long/).selectOption('An hour');
  await rotation.getByRole('button', { name: 'Rotate' }).click();
  const next = (await rotation.getByLabel('API key', { exact: true }).textContent())!;
  await rotation.getByRole('button', { name: 'I have copied it' }).click();
  expect([(await whoami(key)).status, (await whoami(next)).status]).toEqual([200, 200]);
  await page.getByText('replaced').waitFor();

  await openMore(page, 'Nightly report');
  await page.getByRole('button', { name: 'Revoke' }).click();
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
  const body = { workspaceId: owner.workspaceId, title: 'Written by a reader' };
  expect((await app.product.call('POST', '/decisions', { key: reader, body })).status).toBe(403);
  await openMore(page, 'Hourly report');
  await page.getByRole('button', { name: 'Rotate' }).click();
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
  await atOnce.getByText('Keep this open').waitFor();
  isPressed.resolve();
  const newReader = (await atOnce.getByLabel('API key', { exact: true }).textContent())!;
  await atOnce.getByRole('button', { name: 'I have copied it' }).click();
  await eventually(async () => expect((await whoami(reader)).status).toBe(401));
  expect((await whoami(newReader)).status).toBe(200);
  await page.getByRole('link', { name: 'Rate limits' }).click();
  await page.getByLabel('One key').selectOption({ index: 1 });
  await page
    .getByRole('row', { name: 'Reads: this key' })
    .getByText(/^\d+ of \d/)
    .waitFor();
  await checkAccessible(page);
});

it('API keys show their last use and their expiry', async () => {
  const owner = await app.signUp();
  const expiresAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
  const used = await owner.createKey({ name: 'Used', expiresAt });
  await owner.createKey({ name: 'Idle' });
  const page = await owner.open('settings/api-keys', { ownClock: true });
  const row = page.getByRole('row', { name: 'Used' });
  await row.getByText('never').waitFor();
  await used.call('GET', '/whoami');
  const lastUsed = await eventually(async () => {
    const keys: { name: string; last_used_at: string | null }[] = (await owner.call('GET', '/api-keys')).data;
    return keys.find(({ name }) => name === 'Used')?.last_used_at ?? false;
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
  await page.getByRole('button', { name: 'More actions for Idle' }).waitFor();
});

it('service accounts are created with a role, get keys, change the role and are removed with their keys', async () => {
  const owner = await app.signUp();
  await owner.call('POST', '/service-accounts', { name: 'Taken', role: 'viewer' });
  const page = await owner.open('settings/api-keys');
  await page.getByRole('button', { name: 'Create a service account' }).click();
  const creation = page.getByRole('dialog', { name: 'Create a service account' });
  await creation.getByLabel('Name').fill('Taken');
  await creation.getByRole('button', { name: 'Create a service account' }).click();
  await creation.getByText(/already has a service account/).waitFor();
  await creation.getByLabel('Name').fill('Deployment');
  await creation.getByLabel('Role').selectOption('Admin: also manages settings');
  await checkAccessible(page);
  await creation.getByRole('button', { name: 'Create a service account' }).click();
  await page.getByText('Deployment is created').waitFor();

  await openMore(page, 'Deployment');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New key of Deployment' });
  await dialog.getByLabel('Name').fill('Pipeline');
  await dialog.getByLabel('Read and write').check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = (await dialog.getByLabel('API key', { exact: true }).textContent())!;
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('row', { name: 'Pipeline' }).getByText('of Deployment').waitFor();
  await checkAccessible(page);
  const settings = async () => {
    const { status, body } = await app.product.call('GET', '/members', { key });
    return body.reason ?? status;
  };
  expect(await settings()).toBe(200);

  const role = page.getByLabel('Role of Deployment');
  await role.selectOption('Viewer: read only');
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Deployment is viewer now.').waitFor();
  await eventually(async () => expect(await settings()).toBe('role'));
  await openMore(page, 'Deployment');
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByLabel('Read', { exact: true }).waitFor();
  expect(await dialog.getByLabel('Read and write').count()).toBe(0);
  await page.keyboard.press('Escape');

  await openMore(page, 'Deployment');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Deployment is removed').waitFor();
  await page.getByRole('row', { name: 'Pipeline' }).getByText('revoked').waitFor();
  await eventually(async () => expect(await settings()).toBe(401));
});
