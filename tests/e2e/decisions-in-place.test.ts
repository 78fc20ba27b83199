/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible, focused, useConsole } from './support/index.ts';

const app = useConsole();

const CONTENT = {
  title: 'Keep the keeper on the island',
  question: 'Who looks after the lamp?',
  description: 'He knows **every** rock.',
  resolution: 'The keeper stays',
  rationale: 'A machine rusts.',
  tags: ['island'],
};

async function openDecision() {
  const owner = await app.signUp();
  const { title, ...fields } = CONTENT;
  const path = `/decisions/${await owner.decide(title, fields)}`;
  return {
    page: await owner.open(path.slice(1)),
    read: () => owner.call('GET', path),
    change: (body: object) => owner.call('PATCH', path, body),
  };
}

const edit = (page: Page, section: string) =>
  page.getByRole('button', { name: `Edit ${section}`, exact: true });

it('the page of a decision reads as a document with score and facts beside it, and is edited in place by keyboard', async () => {
  const { page, read } = await openDecision();
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.getByRole('heading', { name: 'Quality' }).waitFor();
  const names = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(names.slice(0, 4)).toEqual(['Resolution', 'Rationale', 'Question', 'Description']);
  const boxOf = async (name: string) =>
    (await page.getByRole('heading', { name, exact: true }).boundingBox())!;
  expect((await boxOf('Facts')).x).toBeGreaterThan((await boxOf('Resolution')).x + 400);
  expect((await boxOf('Facts')).y).toBeLessThan((await boxOf('Question')).y);
  await page.setViewportSize({ width: 360, height: 740 });
  expect((await boxOf('Facts')).y).toBeGreaterThan((await boxOf('Description')).y);
  expect((await boxOf('Quality')).y).toBeGreaterThan((await boxOf('Description')).y);
  await checkAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  // After each edit, the focus returns to the section.
  await edit(page, 'title').focus();
  await page.keyboard.press('Enter');
  await focused(page.getByLabel('Title'));
  await checkAccessible(page);
  await page.keyboard.type(' for a year');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: `${CONTENT.title} for a year`, level: 1 }).waitFor();
  await focused(edit(page, 'title'));

  await page.getByText('A machine rusts.').click();
  await focused(edit(page, 'resolution and reasons'));
  await page.keyboard.press('e');
  await focused(page.getByLabel('Resolution'));
  await page.keyboard.press('Escape');
  await focused(edit(page, 'resolution and reasons'));
  await page.keyboard.press('e');
  await page.getByLabel('Rationale', { exact: true }).fill('A machine costs more.');
  await checkAccessible(page);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard the draft?' });
  await question.getByRole('button', { name: 'Continue editing' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByLabel('Rationale', { exact: true }).press('Escape');
  await question.getByRole('button', { name: 'Discard it' }).click();
  await page.getByText('A machine rusts.').waitFor();
  await focused(edit(page, 'resolution and reasons'));
  expect((await read()).rationale).toBe(CONTENT.rationale);

  const tags = edit(page, 'tags and status');
  await tags.click();
  await page.getByLabel('Tags').fill('island, lamp');
  await page.getByLabel('Status').selectOption('accepted');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: '#lamp' }).waitFor();
  await focused(tags);

  const add = page.getByRole('group', { name: 'Add', exact: true });
  await add.getByRole('button', { name: 'Forecast' }).click();
  await page.getByLabel('Forecast of success').fill('400');
  await page.keyboard.press('Control+Enter');
  await page.getByText('A number from 0 to 100').waitFor();
  await focused(page.getByLabel('Forecast of success'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('40');
  await page.keyboard.press('Control+Enter');
  await page.getByText('40%').waitFor();
  await focused(edit(page, 'forecast'));
  expect(await read()).toMatchObject({
    title: `${CONTENT.title} for a year`,
    tags: ['island', 'lamp'],
    status: 'accepted',
    outcome_confidence: 0.4,
    resolution: CONTENT.resolution,
  });
});

it('the page of a decision shows both versions when somebody else has saved, and keeps a draft of what was typed', async () => {
  const { page, read, change } = await openDecision();
  await edit(page, 'context').click();
  await page.getByLabel('Question').fill('Who winds the clock?');
  await change({ question: 'Who sounds the horn?' });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('table', { name: 'Yours and theirs' }).getByText('Who sounds the horn?').waitFor();
  await checkAccessible(page);
  expect((await read()).question).toBe('Who sounds the horn?');
  await page.getByRole('button', { name: 'Save mine over theirs' }).click();
  await focused(edit(page, 'context'));
  expect((await read()).question).toBe('Who winds the clock?');

  await edit(page, 'context').click();
  await page.getByLabel('Question').fill('Who feeds the gulls?');
  await eventually(async () =>
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('gulls'),
  );
  await page.reload();
  await page.getByText('You have not saved a change of this decision').waitFor();
  await checkAccessible(page);
  await page.getByRole('link', { name: 'Continue editing' }).click();
  await eventually(async () =>
    expect(await page.getByLabel('Question').inputValue()).toBe('Who feeds the gulls?'),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: CONTENT.title, level: 1 }).waitFor();
  expect((await read()).question).toBe('Who feeds the gulls?');
  expect(await page.getByText('You have not saved a change').count()).toBe(0);
});

it('the page of a decision opens the whole form if another tab has begun an edit, and saves nothing of it unseen', async () => {
  const { page, read } = await openDecision();
  await edit(page, 'title').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await edit(other, 'context').click();
  await other.getByLabel('Question').fill('Who sounds the horn?');
  await eventually(async () =>
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('horn'),
  );
  await page.bringToFront();
  await edit(page, 'title').click();
  await page.getByText('This is your draft, last changed').waitFor();
  expect(await page.getByLabel('Question').inputValue()).toBe('Who sounds the horn?');
  expect((await read()).question).toBe(CONTENT.question);
});

it('what is typed or pasted before the editor of a section has loaded is typed into its field', async () => {
  const { page } = await openDecision();
  const asked = Promise.withResolvers<() => void>();
  await page.route('**/assets/section-editor*.js', (route) => asked.resolve(() => void route.continue()));
  // To copy something.
  await page.locator('main time').first().selectText();
  await page.keyboard.press('Control+c');
  const copied = await page.evaluate(() => String(getSelection()));
  await edit(page, 'title').click();
  const load = await asked.promise;
  // In the page, c would begin a decision.
  await page.keyboard.type(', c');
  // As a Mac types special characters.
  await page.keyboard.press('Alt+|');
  await page.keyboard.press('Control+v');
  load();
  const field = page.getByRole('textbox', { name: 'Title' });
  await focused(field);
  expect(await field.inputValue()).toBe(`${CONTENT.title}, c|${copied}`);
});
