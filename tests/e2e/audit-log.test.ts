import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './check-accessible.ts';
import { useConsole } from './use-console.ts';

const app = useConsole();

describe('the audit log', () => {
  it('is filtered, shows before and after, verifies and exports', async () => {
    const owner = await app.product.workspace();
    const { workspaceId, key } = owner;
    const body = { workspaceId, title: 'Adopt two-phase rollout' };
    const created = await app.product.call('POST', '/decisions', { key, body });
    const change = { title: 'Adopt three-phase rollout' };
    await app.product.call('PATCH', `/decisions/${created.body.id}?workspaceId=${workspaceId}`, {
      key,
      body: change,
    });
    await eventually(async () => {
      const { body } = await app.product.call('GET', `/audit-log?workspaceId=${workspaceId}`, { key });
      expect(body.data.map((entry: { action: string }) => entry.action)).toContain('decision.update');
    });

    const page = await app.visit(`/w/${workspaceId}/audit`, { cookie: owner.cookie });
    await page.getByText('api_key.create').waitFor();
    await page.getByLabel('Action', { exact: true }).fill('decision.update');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('api_key.create').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: /^Details of entry/ }).click();
    const changes = page.getByRole('table', { name: 'What changed' });
    await changes.getByText('Adopt two-phase rollout').waitFor();
    await changes.getByText('Adopt three-phase rollout').waitFor();
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('api_key.create').waitFor();
    await page
      .getByRole('button', { name: /^Only this one: test key/ })
      .first()
      .click();
    await page.getByText('api_key.create').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText('The chain holds').waitFor();
    await checkAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export NDJSON' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines[0]!)).toMatchObject({ seq: 1, workspace_id: workspaceId });
  });
});
