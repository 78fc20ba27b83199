import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const read = async (owner: { workspaceId: string; cookie: string }, id: string) =>
  (
    await app.product.call('GET', `/decisions/${id}?workspaceId=${owner.workspaceId}`, {
      cookie: owner.cookie,
    })
  ).body;

const FORECAST = 0.805;

/** Adds a section to the form. */
const add = (page: Page, section: string) =>
  page.getByRole('group', { name: 'Add', exact: true }).getByRole('button', { name: section }).click();

describe('the form of a decision', () => {
  it('creates a decision, with its score while it is written and a Markdown preview', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/decisions/new`, { cookie: owner.cookie });
    await page.getByLabel('Title').and(page.locator(':focus')).waitFor();
    expect(await page.locator('form :is(input, textarea, select)').count()).toBe(1);
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByText('Give it a title').waitFor();
    const score = page.locator('[data-score]');
    await score.getByText('0', { exact: true }).waitFor();
    await page.getByText(/^\d+ more$/).click();
    await page.getByText('Tag the decision.').waitFor();

    await page.getByLabel('Title').fill('Where the lighthouse will stand');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Question').and(page.locator(':focus')).waitFor();
    await page
      .getByLabel('Description', { exact: true })
      .fill('# Why\n\n**Ships** need <b id="raw">light</b>[^1]\n\n- [x] asked\n\n[^1]: By night');
    await page.getByRole('button', { name: 'Preview of Description' }).click();
    await page.getByRole('heading', { name: 'Why' }).waitFor();
    await page.locator('strong', { hasText: 'Ships' }).waitFor();
    expect(await page.locator('#raw').count()).toBe(0);
    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.locator('li:target', { hasText: 'By night' }).waitFor();
    await add(page, 'Options and criteria');
    const first = page.getByRole('group', { name: 'Option 1' });
    await first.getByLabel('Name').fill('The cape');
    await first.getByLabel('Pros').fill('High ground\nNear the road');
    await first.getByLabel('Cons').fill('Windy');
    await page.getByRole('group', { name: 'Option 2' }).getByLabel('Name').fill('The pier');
    await page.getByRole('button', { name: 'Add an option' }).click();
    await page.getByRole('button', { name: 'Remove option 3' }).click();
    await page.getByLabel('Criteria').fill('Cost\nReach');
    await add(page, 'Tags and status');
    await page.getByLabel('Tags').fill('coast, light');
    await page.getByLabel('Type').fill('site');
    await add(page, 'Forecast');
    await page.getByLabel('Outcome expected by').fill('2031-05-01');
    await page.getByLabel('Forecast of success').fill('80,5');
    await page.getByText('State your confidence in success').waitFor({ state: 'detached' });
    await page.getByText('Tag the decision.').waitFor({ state: 'detached' });
    const shown = Number(await score.textContent());
    expect(shown).toBeGreaterThan(20);
    await checkAccessible(page);

    await page.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('dialog', { name: 'Discard the draft?' });
    await checkAccessible(page);
    await question.getByRole('button', { name: 'Continue editing' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByRole('heading', { name: 'Where the lighthouse will stand', level: 1 }).waitFor();
    expect(await read(owner, page.url().split('/').at(-1)!)).toMatchObject({
      options_considered: [
        { title: 'The cape', pros: ['High ground', 'Near the road'], cons: ['Windy'] },
        { title: 'The pier', pros: [], cons: [] },
      ],
      criteria: ['Cost', 'Reach'],
      tags: ['coast', 'light'],
      decision_type: 'site',
      expected_by: '2031-05-01T23:59:59.999Z',
      outcome_confidence: FORECAST,
      outcome_confidence_kind: 'forecast',
      quality_score: shown,
    });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Nowhere');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard it' }).click();
    await page.getByRole('heading', { name: 'Where the lighthouse will stand', level: 1 }).waitFor();
  });

  it('links a decision to others that a search finds, and removes the links', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const create = async (title: string) =>
      (await app.product.call('POST', '/decisions', { cookie, body: { workspaceId, title } })).body.id;
    const cape = await create('Where the lighthouse will stand');
    const boat = await create('Which boat carries the stones');
    const page = await app.visit(`/w/${workspaceId}/decisions/new`, { cookie });
    await page.getByLabel('Title').fill('Light it by gas');
    await add(page, 'Links');
    await page.getByRole('combobox', { name: 'Related decisions' }).fill('lighthouse');
    await page.getByRole('option', { name: 'Where the lighthouse will stand' }).click();
    await page.getByRole('combobox', { name: 'Related decisions' }).fill('stones');
    await page.getByRole('option', { name: 'Which boat carries the stones' }).click();
    await page.keyboard.press('Escape');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByRole('heading', { name: 'Light it by gas', level: 1 }).waitFor();
    const id = page.url().split('/').at(-1)!;
    expect((await read({ workspaceId, cookie }, id)).relates_to).toEqual([cape, boat]);
    await page.getByRole('link', { name: 'Where the lighthouse will stand' }).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    const boatChosen = page.locator('.mantine-Pill-root', { hasText: 'Which boat carries the stones' });
    await boatChosen.waitFor();
    await page.getByRole('combobox', { name: 'Related decisions' }).focus();
    await page.keyboard.press('Backspace');
    await boatChosen.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Supersedes' }).fill('lighthouse');
    await page.getByRole('option', { name: 'Where the lighthouse will stand' }).last().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Light it by gas', level: 1 }).waitFor();
    expect(await read({ workspaceId, cookie }, id)).toMatchObject({ relates_to: [cape], supersedes: cape });
  });

  it('shows both versions when another user has changed the decision', async () => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    const body = { workspaceId, title: 'Paint it red', resolution: 'Red' };
    const { id } = (await app.product.call('POST', '/decisions', { cookie, body })).body;
    const theirs = (change: object) =>
      app.product.call('PATCH', `/decisions/${id}?workspaceId=${workspaceId}`, { cookie, body: change });
    const page = await app.visit(`/w/${workspaceId}/decisions/${id}/edit`, { cookie });
    await page.getByLabel('Title').fill('Paint it blue');
    await theirs({ title: 'Paint it green', criteria: ['Seen from far'] });
    await page.getByRole('button', { name: 'Save' }).click();
    const table = page.getByRole('table', { name: 'Yours and theirs' });
    await table.getByText('Paint it blue').waitFor();
    await table.getByText('Paint it green').waitFor();
    await table.getByText('Seen from far').waitFor();
    await checkAccessible(page);
    expect(await read(owner, id)).toMatchObject({ title: 'Paint it green' });
    await page.getByLabel('Title').fill('Paint it bluer');
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByRole('heading', { name: 'Paint it bluer', level: 1 }).waitFor();
    expect(await read(owner, id)).toMatchObject({ title: 'Paint it bluer', criteria: ['Seen from far'] });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Paint it black');
    await theirs({ title: 'Paint it white' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Discard mine, take theirs' }).click();
    await eventually(async () => expect(await page.getByLabel('Title').inputValue()).toBe('Paint it white'));
    await page.getByLabel('Resolution').fill('White');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Paint it white', level: 1 }).waitFor();
    expect(await read(owner, id)).toMatchObject({ title: 'Paint it white', resolution: 'White' });
  });
});
