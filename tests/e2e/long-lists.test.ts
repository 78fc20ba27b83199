/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { useConsole } from './support/index.ts';

const app = useConsole();

const ROWS = 1_000;
const ROWS_OF_A_PAGE = 250;

/** Opens the list of a workspace that seems to have many decisions, and loads all of them. */
async function openLongList() {
  const owner = await app.signUp();
  const real = await owner.call('POST', '/decisions', { title: 'The real one' });
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    ...real,
    id: `${real.id.slice(0, 8)}-0000-4000-8000-${String(at).padStart(12, '0')}`,
    title: `Decision ${at} ${'which takes two lines '.repeat(at % 3)}`.trim(),
  }));
  const page = await app.visit('/waymark.svg', owner);
  await page.route('**/v1/decisions?*', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const to = from + ROWS_OF_A_PAGE;
    const json = { decisions: rows.slice(from, to), next_cursor: to < rows.length ? String(to) : null };
    return route.fulfill({ json });
  });
  await page.goto(`/w/${owner.workspaceId}/decisions`);
  for (let loaded = ROWS_OF_A_PAGE; loaded < ROWS; loaded += ROWS_OF_A_PAGE) {
    await page
      .locator('tbody tr')
      .nth(loaded - 1)
      .waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  await page
    .locator('tbody tr')
    .nth(ROWS - 1)
    .waitFor();
  return { page, rows, change: () => owner.decide('Another') };
}

/** The title at the upper end of the window, and how far from it. */
const readAtTop = (page: Page) =>
  page.evaluate(() => {
    for (const link of document.querySelectorAll('tbody td:first-child a:not([data-quiet])')) {
      const { top } = link.getBoundingClientRect();
      if (top > 100) return { title: link.textContent, top: Math.round(top) };
    }
    return null;
  });

/** What React last gave each row: another object after each time that it renders the row. */
const propsOfRows = (page: Page) =>
  page.evaluateHandle(() => {
    const propsOf = (row: Element) => Object.entries(row).find(([name]) => name.startsWith('__reactProps$'));
    return Array.from(document.querySelectorAll('tbody tr'), (row) => propsOf(row)![1] as object);
  });

it('a list of 1,000 rows selects them one by one, returns to the place that was left, and stays there', async () => {
  const { page, rows, change } = await openLongList();
  const before = await propsOfRows(page);
  await page.getByRole('checkbox', { name: 'Select Decision 990', exact: true }).check();
  await page.getByRole('region', { name: 'Selected decisions' }).getByText('1 selected').waitFor();
  const after = await propsOfRows(page);
  const rendered = await page.evaluate(
    ([old, now]) => now!.filter((props, at) => props !== old![at]).length,
    [before, after],
  );
  expect(rendered).toBe(1);
  await page.evaluate(() => window.scrollTo({ top: 21_234 }));
  await eventually(async () => expect(await page.evaluate(() => window.scrollY)).toBe(21_234));
  const left = await readAtTop(page);
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  await page.goBack();
  await eventually(async () => expect(await readAtTop(page)).toEqual(left));

  // It does not move when others change it.
  rows.splice(3, 1);
  const [again] = await Promise.all([
    page.waitForResponse((response) => response.url().includes(`cursor=${ROWS - ROWS_OF_A_PAGE}`)),
    change(),
  ]);
  expect(again.status()).toBe(200);
  await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(ROWS - 1));
  await eventually(async () => expect(await readAtTop(page)).toEqual(left));
});
