import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('search from anywhere', () => {
  it('finds matches in every group, marks them, and opens them by keyboard', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const create = async (path: string, body: object) =>
      (await app.product.call('POST', path, { key, body: { workspaceId, ...body } })).body;
    const decision = await create('/decisions', {
      title: 'Choose a harbour',
      rationale: 'The deep harbour takes larger ships than the harbour in the north.',
    });
    const workflow = await create('/workflows', { title: 'Harbour works' });
    const node = await create('/nodes', {
      workflowId: workflow.id,
      type: 'task',
      title: 'Survey the harbour bed',
      positionX: 0,
      positionY: 0,
    });
    await eventually(async () => {
      const { body } = await app.product.call('GET', '/search', {
        key,
        query: { workspaceId, q: 'harbour' },
      });
      expect([body.nodes.length, body.decisions.length, body.workflows.length]).toEqual([1, 1, 1]);
    });

    const page = await app.visit(`/w/${workspaceId}/settings`, { cookie });
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: /^Search/ });
    await input.and(page.locator(':focus')).waitFor();
    await page.getByText(/Searches titles/).waitFor();
    await checkAccessible(page);

    await page.keyboard.type('HARBOUR');
    await page.getByText('3 found').waitFor();
    const options = page.getByRole('option');
    expect(await options.nth(0).locator('mark').allTextContents()).toEqual(['harbour', 'harbour', 'harbour']);
    expect(await options.nth(1).locator('mark').allTextContents()).toEqual(['Harbour']);
    await checkAccessible(page);
    await page.keyboard.press('ArrowUp');
    await page.getByRole('option', { name: /Survey/, selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /Choose/, selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${workspaceId}/workflows/${workflow.id}?node=${node.id}`);
    const panel = page.getByRole('region', { name: 'Survey the harbour bed' });
    await panel.waitFor();
    await panel.getByRole('button', { name: 'Close the panel' }).click();
    await panel.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('option', { name: /Survey/ }).click();
    await panel.waitFor();
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('option', { name: /Survey/ }).waitFor();
    await input.fill('Choose');
    await page.getByRole('option', { name: /Choose a harbour/ }).click();
    await page.waitForURL(`**/w/${workspaceId}/decisions/${decision.id}`);

    for (let n = 1; n <= 11; n += 1) await create('/decisions', { title: `Mooring ${n}` });
    await eventually(async () => {
      const query = { workspaceId, q: 'mooring' };
      expect((await app.product.call('GET', '/search', { key, query })).body.decisions).toHaveLength(11);
    });
    await page.keyboard.press('Control+k');
    await input.fill('mooring');
    await page.getByText('11 found').waitFor();
    await page.getByText('Decisions, the newest 8 of 11').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('option', { name: 'Show more decisions', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('11 found').waitFor();
    await page.getByRole('option', { name: /Mooring 3/, selected: true }).waitFor();
    expect(await page.getByRole('option', { name: /Show more/ }).count()).toBe(0);
  });

  it('opens pages, starts actions and finds people, also with typos', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const body = { workspaceId, title: 'Choose a harbour' };
    const decision = await app.product.call('POST', '/decisions', { key, body });
    const { name } = (await app.product.call('GET', '/auth/me', { cookie })).body.user;
    const page = await app.visit(`/w/${workspaceId}/decisions/${decision.body.id}`, { cookie });
    await page.getByRole('heading', { name: 'Choose a harbour' }).waitFor();
    const input = page.getByRole('combobox', { name: /^Search/ });
    const find = async (typed: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await input.fill(typed);
      await page.getByRole('option', { name: option }).first().click();
    };
    // Before the dialog is there. In a page, c would begin a decision.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('a colleague');
    await input.and(page.locator(':focus')).waitFor();
    expect(await input.inputValue()).toBe('a colleague');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Recently opened' }).getByText('Choose a harbour').waitFor();
    await page.getByRole('group', { name: 'Actions' }).getByText('New decision').waitFor();
    await page.keyboard.press('Escape');

    await find('invtie', 'Invite somebody');
    await page.getByRole('dialog', { name: /Invite/ }).waitFor();
    await checkAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await find('rotate key', 'Rotate an API key');
    await page.waitForURL(`**/w/${workspaceId}/settings/api-keys`);
    await find('audti', 'Audit log');
    await page.waitForURL(`**/w/${workspaceId}/audit`);
    await find('create api key', 'Create an API key');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await find(name, new RegExp(`^${name} `));
    await page.waitForURL(`**/w/${workspaceId}/settings/members`);
    await find('harbuor', 'Choose a harbour');
    await page.waitForURL(`**/w/${workspaceId}/decisions/${decision.body.id}`);
  });

  it('offers keyboard shortcuts, which can be turned off', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/settings`, { cookie });
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await eventually(async () => {
      await page.keyboard.press('?');
      expect(await help.count()).toBe(1);
    });
    await help.getByRole('rowheader', { name: 'New decision' }).waitFor();
    const canvas = help.getByRole('table', { name: 'On the canvas of a workflow' });
    await canvas.getByRole('row', { name: 'Rename the node, as a double click does F2' }).waitFor();
    await checkAccessible(page);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(`**/w/${workspaceId}/decisions`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /^Search/ }).fill('shortcuts');
    await page.keyboard.press('Enter');
    await help.getByLabel('Single keys work as shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search/ }).fill('shortcuts');
    await page.keyboard.press('Enter');
    await help.getByLabel('Single keys work as shortcuts').check();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.waitForURL(`**/w/${workspaceId}/decisions`);
    await page.keyboard.press('c');
    await page.waitForURL(`**/w/${workspaceId}/decisions/new`);
    await page.getByLabel('Title').fill('c / ?');
    expect(await page.getByLabel('Title').inputValue()).toBe('c / ?');
  });

  it('reports that nothing was found, cancels outdated requests, and reports failures', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/settings`, { cookie, expects: /503/ });
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const held: (() => void)[] = [];
    await page.route('**/v1/search?**q=slow**', (route) => {
      held.push(() => void route.continue().catch(() => {}));
    });
    await page.route('**/v1/search?**q=away**', (route) =>
      route.fulfill({ status: 503, json: { error: 'SERVICE_UNAVAILABLE', message: 'Search is away.' } }),
    );
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: /^Search/ });
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('q=slow'));
    await Promise.all([page.waitForRequest('**/v1/search?**q=slow**'), input.fill('slow')]);
    await input.fill('nowhere to be found');
    await page.getByText('No results for “nowhere to be found”').waitFor();
    expect((await aborted).failure()?.errorText).toContain('ABORTED');
    for (const release of held) release();
    await checkAccessible(page);
    await input.fill('away');
    await page.getByText('A part of Waymark is unavailable').waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
  });
});
