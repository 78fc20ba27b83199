import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

async function exported(page: Page, format: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export ${format}` }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

describe('export and import', () => {
  it('exports a workspace in three formats, and imports it into another after a check', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const body = { workspaceId, title: 'Dredge the channel', rationale: 'It silts up.' };
    const decision = await app.product.call('POST', '/decisions', { key, body });
    const page = await app.visit(`/w/${workspaceId}/decisions`, { cookie });
    await page.getByRole('link', { name: 'Export and import' }).click();
    const csv = await exported(page, 'CSV');
    expect([csv.name, csv.content.toString()]).toEqual([
      `decisions-${workspaceId}.csv`,
      expect.stringContaining('Dredge the channel'),
    ]);
    await page.getByText(`${csv.name} is saved`).waitFor();
    const madr = await exported(page, 'MADR');
    expect([madr.name, madr.content.subarray(0, 2).toString()]).toEqual([
      `decisions-${workspaceId}.zip`,
      'PK',
    ]);
    const json = await exported(page, 'JSON');
    expect(JSON.parse(json.content.toString()).decisions[0].id).toBe(decision.body.id);

    const other = await app.product.signUp();
    const there = await app.visit(`/w/${other.workspaceId}/transfer`, { cookie: other.cookie });
    const file = { name: 'export.json', mimeType: 'application/json', buffer: json.content };
    await there.locator('input[type=file]').setInputFiles(file);
    await there.getByRole('button', { name: 'Check file' }).click();
    await there.getByText('The file cannot be imported').waitFor();
    await checkAccessible(there);
    await there.getByLabel(/Assign new ids/).check();
    await there.getByRole('button', { name: 'Check file' }).click();
    await there.getByText('The file can be imported').waitFor();
    await checkAccessible(there);
    const decisionsThere = async () => {
      const query = { workspaceId: other.workspaceId };
      return (await app.product.call('GET', '/decisions', { cookie: other.cookie, query })).body.decisions;
    };
    expect(await decisionsThere()).toEqual([]);
    // One decision is stored very quickly, so the page gets a longer import until the progress was seen.
    let isSeen = false;
    await there.route('**/v1/imports/*', async (route) => {
      if (isSeen) return route.continue();
      const answer = await route.fetch();
      const job = await answer.json();
      const progress = { ...job.progress, done: { decisions: 300 }, total: { decisions: 1_200 } };
      const halfway = { ...job, status: 'running', phase: 'writing', progress };
      await route.fulfill({ response: answer, json: halfway });
    });
    await there.getByRole('button', { name: 'Import now' }).click();
    const bar = there.getByRole('progressbar', { name: 'Storing: 300 of 1,200 records' });
    await bar.waitFor();
    expect(await bar.getAttribute('aria-valuenow')).toBe('25');
    isSeen = true;
    await there.unrouteAll({ behavior: 'wait' });
    await there.getByText('The file is imported').waitFor();
    expect(await decisionsThere()).toMatchObject([{ title: 'Dredge the channel' }]);
  });

  it('imports Markdown decisions from an archive, and explains that a file is not an export', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    await app.product.call('POST', '/decisions', { key, body: { workspaceId, title: 'Light the pier' } });
    const page = await app.visit(`/w/${workspaceId}/transfer`, { cookie });
    const madr = await exported(page, 'MADR');
    const archive = { name: 'records.zip', mimeType: 'application/zip', buffer: madr.content };
    await page.locator('input[type=file]').setInputFiles(archive);
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('The file can be imported').waitFor();
    const table = page.getByRole('table', { name: 'Records of the file' });
    expect(
      await table
        .getByRole('row', { name: /^decisions/ })
        .getByRole('cell')
        .nth(1)
        .textContent(),
    ).toBe('1');
    const nothing = { name: 'nothing.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') };
    await page.locator('input[type=file]').setInputFiles(nothing);
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('The file cannot be imported').waitFor();
    await page.getByText('Errors').waitFor();
    const sheet = { name: 'sheet.csv', mimeType: 'text/csv', buffer: Buffer.from('title\nLight the pier\n') };
    await page.locator('input[type=file]').setInputFiles(sheet);
    await page.getByRole('button', { name: 'Check file' }).click();
    const errors = page.getByRole('list', { name: 'Errors' });
    await errors.getByText(/^The file is not an exported workspace/).waitFor();
  });

  it('offers a viewer only the export', async () => {
    const owner = await app.product.signUp();
    const viewer = await app.product.signUp();
    const invited = await app.product.call('POST', '/invitations', {
      cookie: owner.cookie,
      body: { workspaceId: owner.workspaceId, role: 'viewer' },
    });
    const token = new URL(invited.body.url).hash.slice(1);
    await app.product.call('POST', '/invitations/accept', { cookie: viewer.cookie, body: { token } });
    const page = await app.visit(`/w/${owner.workspaceId}/transfer`, { cookie: viewer.cookie });
    await page.getByText('only admins and owners').waitFor();
    await exported(page, 'CSV');
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });
});
