import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('settings of a workspace', () => {
  it('renames it, changes its plan, and explains a plan without keys', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/settings`, { cookie: owner.cookie });
    await page.getByRole('textbox', { name: 'Name' }).fill('Bridge works');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Bridge works' }).waitFor();
    const retention = page.getByRole('region', { name: 'Data retention' });
    await retention.getByText('kept for as long as the workspace exists').waitFor();
    // Each setting ends with what it does and its button, in one line.
    const footer = page.getByRole('region', { name: 'Leave this workspace' }).locator('.setting-footer');
    const [hint, button] = await Promise.all([
      footer.getByText('To return, you need an invitation').boundingBox(),
      footer.getByRole('button', { name: 'Leave workspace' }).boundingBox(),
    ]);
    expect(hint!.x + hint!.width).toBeLessThanOrEqual(button!.x);
    expect(hint!.y).toBeGreaterThanOrEqual(button!.y);
    expect(hint!.y + hint!.height).toBeLessThanOrEqual(button!.y + button!.height);
    await checkAccessible(page);
    await page.getByText('Everything except API keys and the audit log').waitFor();
    await page.getByLabel('Free').check();
    await page.getByRole('button', { name: 'Change plan' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Programs that use a key').waitFor();
    await question.getByRole('button', { name: 'Change plan' }).click();
    await page.getByText('on the free plan now').waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('API keys require the Business plan').waitFor();
    await checkAccessible(page);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Audit logs require the Business plan').waitFor();
    await page.getByRole('link', { name: 'See the plans' }).click();
    await page.getByLabel('Enterprise').check();
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByText('on the enterprise plan now').waitFor();
    const { body } = await app.product.call('GET', `/workspaces/${owner.workspaceId}`, {
      cookie: owner.cookie,
    });
    expect(body).toMatchObject({ name: 'Bridge works', plan: 'enterprise' });
  });

  it('asks for nothing that the plan lacks', async () => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    const { status } = await app.product.call('PUT', `/workspaces/${workspaceId}/plan`, {
      cookie,
      body: { plan: 'pro' },
    });
    expect(status).toBe(200);
    const page = await app.visit('/', { cookie });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/w/${workspaceId}/settings`);
    await page.getByLabel('Pro').waitFor();
    expect(asked.filter((path) => path.startsWith('/v1/audit-log'))).toEqual([]);
  });

  it('creates another workspace, and deletes one only after its name is typed', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/new-workspace', { cookie: owner.cookie });
    await checkAccessible(page);
    await page.getByLabel('Name').fill('Second yard');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    const id = /\/w\/([\w-]+)\//.exec(page.url())![1]!;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Second yard?' });
    await dialog.getByLabel(/to confirm/).fill('Second');
    expect(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled()).toBe(true);
    await checkAccessible(page);
    await dialog.getByLabel(/to confirm/).fill('Second yard');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.waitForURL(`**/w/${owner.workspaceId}/decisions`);
    const gone = await app.product.call('GET', `/workspaces/${id}`, { cookie: owner.cookie });
    expect([403, 404]).toContain(gone.status);
  });
});
