import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkAccessible, focused, type Person, useConsole } from './support/index.ts';

const app = useConsole();

const FORECAST = 0.805;

/** Reads the decision on the page. */
const stored = (owner: Person, page: Page) =>
  owner.call('GET', `/decisions/${new URL(page.url()).pathname.split('/').at(-1)}`);

/** Adds a section to the form. */
const add = (page: Page, section: string) =>
  page.getByRole('group', { name: 'Add', exact: true }).getByRole('button', { name: section }).click();

it('the form of a decision creates a decision, with its score while it is written and a Markdown preview', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions/new');
  await focused(page.getByLabel('Title'));
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
  await focused(page.getByLabel('Question'));
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
  expect(await stored(owner, page)).toMatchObject({
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

it('the form of a decision links a decision to others that a search finds, and removes the links', async () => {
  const owner = await app.signUp();
  const cape = await owner.decide('Where the lighthouse will stand');
  const boat = await owner.decide('Which boat carries the stones');
  const page = await owner.open('decisions/new');
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
  expect((await stored(owner, page)).relates_to).toEqual([cape, boat]);
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
  expect(await stored(owner, page)).toMatchObject({ relates_to: [cape], supersedes: cape });
});
