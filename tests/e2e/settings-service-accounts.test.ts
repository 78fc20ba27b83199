import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('service accounts', () => {
  it('are created with a role, get keys, change the role and are removed with their keys', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/settings/api-keys`, { cookie });
    await page.getByRole('button', { name: 'Create a service account' }).click();
    const creation = page.getByRole('dialog', { name: 'Create a service account' });
    await creation.getByLabel('Name').fill('Deployment');
    await creation.getByLabel('Role').selectOption('Admin: also manages settings');
    await checkAccessible(page);
    await creation.getByRole('button', { name: 'Create a service account' }).click();
    await page.getByText('Deployment is created').waitFor();

    await page.getByRole('button', { name: 'New key of Deployment' }).click();
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
    await page.getByRole('button', { name: 'New key of Deployment' }).click();
    await dialog.getByLabel('Read', { exact: true }).waitFor();
    expect(await dialog.getByLabel('Read and write').count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Remove Deployment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Deployment is removed').waitFor();
    await page.getByRole('row', { name: 'Pipeline' }).getByText('revoked').waitFor();
    await eventually(async () => expect(await settings()).toBe(401));
  });

  it('report a name that is taken', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const body = { workspaceId, name: 'Deployment', role: 'viewer' };
    await app.product.call('POST', '/service-accounts', { cookie, body });
    const page = await app.visit(`/w/${workspaceId}/settings/api-keys`, { cookie });
    await page.getByRole('button', { name: 'Create a service account' }).click();
    const creation = page.getByRole('dialog', { name: 'Create a service account' });
    await creation.getByLabel('Name').fill('Deployment');
    await creation.getByRole('button', { name: 'Create a service account' }).click();
    await creation.getByText(/already has a service account/).waitFor();
  });
});
