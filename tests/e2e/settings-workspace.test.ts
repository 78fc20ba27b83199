import { expect, it } from '@jest/globals';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();

it('the settings of a workspace rename it, change its plan, explain a plan without keys, and delete it', async () => {
  const owner = await app.signUp();
  const page = await owner.open('settings');
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
  const path = `/workspaces/${owner.workspaceId}`;
  expect(await owner.call('GET', path)).toMatchObject({ name: 'Bridge works', plan: 'enterprise' });

  // The page asks for nothing that the plan lacks.
  await owner.call('PUT', `${path}/plan`, { plan: 'pro' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByLabel('Pro').and(page.locator(':checked')).waitFor();
  expect(asked.filter((path) => path.startsWith('/v1/audit-log'))).toEqual([]);

  const create = async () => {
    await page.goto('/new-workspace');
    await page.getByLabel('Name').fill('Second yard');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    return /\/w\/([\w-]+)\//.exec(page.url())![1]!;
  };
  const expectDeleted = (id: string) =>
    expect(owner.call('GET', `/workspaces/${id}`)).rejects.toThrow(/answered 40[34]/);
  const dialog = page.getByRole('dialog', { name: 'Delete Second yard?' });
  const act = dialog.getByRole('button', { name: 'Delete for good' });

  // Another workspace is deleted only after its name is typed.
  const second = await create();
  await dialog.getByLabel(/to confirm/).fill('Second');
  expect(await act.isDisabled()).toBe(true);
  await checkAccessible(page);
  await dialog.getByLabel(/to confirm/).fill('Second yard');
  await act.click();
  await page.waitForURL(`**/w/${owner.workspaceId}/decisions`);
  await expectDeleted(second);

  // A user who goes on elsewhere before the answer is there stays there.
  const third = await create();
  const isElsewhere = Promise.withResolvers<void>();
  await page.route(`**/v1/workspaces/${third}`, async (route) => {
    await isElsewhere.promise;
    await route.continue();
  });
  await dialog.getByLabel(/to confirm/).fill('Second yard');
  await act.click();
  await page.keyboard.press('Escape');
  await page.getByText('The request continues.').waitFor();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('link', { name: 'Account and sessions' }).click();
  await page.waitForURL('**/account');
  isElsewhere.resolve();
  await page.getByText('Deleted Second yard.').waitFor();
  await page.getByRole('button', { name: 'Second yard' }).waitFor({ state: 'detached' });
  await expectDeleted(third);
  expect(new URL(page.url()).pathname).toBe('/account');
});
