import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, focused, useConsole } from './support/index.ts';

const app = useConsole();

it('the search finds matches in every group, marks them, and opens them by keyboard', async () => {
  const owner = await app.signUp();
  const rationale = 'The deep harbour takes larger ships than the harbour in the north.';
  const decision = await owner.decide('Choose a harbour', { rationale });
  const { path, ids } = await drawWorkflow(owner, ['Survey the harbour bed'], [], {
    title: 'Harbour works',
  });
  const search = (q: string) => owner.call('GET', '/search', undefined, { query: { q } });
  await eventually(async () => {
    const { nodes, decisions, workflows } = await search('harbour');
    expect([nodes.length, decisions.length, workflows.length]).toEqual([1, 1, 1]);
  });

  const page = await owner.open('settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: /^Search/ });
  await focused(input);
  await page.getByText(/Searches titles/).waitFor();

  await page.keyboard.type('HARBOUR');
  await page.getByText('3 found').waitFor();
  const options = page.getByRole('listbox').getByRole('option');
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
  await page.waitForURL(`**/${path}?node=${ids['Survey the harbour bed']}`);
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
  const found = page.getByRole('option', { name: /Choose a harbour/ });
  // As a link, it opens in a new tab, and the search stays.
  for (const openTab of [() => found.click({ button: 'middle' }), () => input.press('Control+Enter')]) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), openTab()]);
    await tab.waitForURL(`**/decisions/${decision}`);
    await tab.close();
  }
  await found.click();
  await page.waitForURL(`**/decisions/${decision}`);

  for (let n = 1; n <= 11; n += 1) await owner.decide(`Mooring ${n}`);
  await eventually(async () => expect((await search('mooring')).decisions).toHaveLength(11));
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

it('the search opens pages, starts actions and finds people, also with typos', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const decision = `decisions/${await owner.decide('Choose a harbour')}`;
  const page = await owner.open(decision);
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
  await focused(input);
  expect(await input.inputValue()).toBe('a colleague');
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await page.getByRole('group', { name: 'Recently opened' }).getByText('Choose a harbour').waitFor();
  await page.getByRole('group', { name: 'Actions' }).getByText('New decision').waitFor();
  await page.keyboard.press('Escape');

  await find('invtie', 'Invite somebody');
  await page.getByRole('dialog', { name: /Invite/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await find('rotate key', 'Rotate an API key');
  await page.waitForURL('**/settings/api-keys');
  await find('audti', 'Audit log');
  await page.waitForURL('**/audit');
  await find('create api key', 'Create an API key');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await find('Ada Lovelace', /^Ada Lovelace /);
  await page.waitForURL('**/settings/members');
  await find('harbuor', 'Choose a harbour');
  await page.waitForURL(`**/${decision}`);
});

it('the search runs the actions of the open decision, and shows their keys', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Choose a harbour', { status: 'accepted' });
  const page = await owner.open(`decisions/${id}`);
  await page.getByRole('heading', { name: 'Choose a harbour' }).waitFor();
  const input = page.getByRole('combobox', { name: /^Search/ });
  const here = page.getByRole('group', { name: 'On this page' });
  const log = page.getByRole('dialog', { name: /outcome/i });
  await page.keyboard.press('Control+k');
  for (const name of ['Log outcome action o', 'Review action r', 'Edit action', 'More actions action'])
    await here.getByRole('option', { name, exact: true }).waitFor();
  await page.getByRole('option', { name: 'New decision action c' }).waitFor();
  await checkAccessible(page);
  await input.fill('outcome');
  await page.keyboard.press('Enter');
  await log.waitFor();
  await page.keyboard.press('Escape');
  await log.waitFor({ state: 'detached' });
  await page.keyboard.press('o');
  await log.waitFor();
  await page.keyboard.press('Escape');
  await log.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await here.getByRole('option', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Delete' }).waitFor();
});

it('the search offers keyboard shortcuts, which can be turned off', async () => {
  const page = await (await app.signUp()).open('settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await eventually(async () => {
    await page.keyboard.press('?');
    expect(await help.count()).toBe(1);
  });
  await help.getByRole('rowheader', { name: 'New decision' }).waitFor();
  const canvas = help.getByRole('table', { name: 'On the canvas of a workflow' });
  await canvas.getByRole('row', { name: 'Rename the node, as a double click does F2' }).waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForURL('**/decisions');
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
  await page.waitForURL('**/decisions');
  await page.keyboard.press('c');
  await page.waitForURL('**/decisions/new');
  await page.getByLabel('Title').fill('c / ?');
  expect(await page.getByLabel('Title').inputValue()).toBe('c / ?');
});

it('the search reports that nothing was found, cancels outdated requests, and reports failures', async () => {
  const page = await (await app.signUp()).open('settings', { expects: /503/ });
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
