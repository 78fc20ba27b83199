/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();

const ROWS = 10_000;
const ROWS_OF_A_PAGE = 2_500;

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
  for (let loaded = 1; loaded < ROWS / ROWS_OF_A_PAGE; loaded += 1) {
    await page.locator(`table[aria-rowcount="${loaded * ROWS_OF_A_PAGE + 1}"]`).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  await page.locator(`table[aria-rowcount="${ROWS + 1}"]`).waitFor();
  return { page, rows, change: () => owner.decide('Another') };
}

const links = (page: Page) => page.locator('tbody a[href*="/decisions/"]');
const rowsInPage = (page: Page) => page.locator('tbody tr[aria-rowindex]').count();

/** The number of the row that has the focus. */
const focusedRow = (page: Page) =>
  page.evaluate(() => {
    const row = document.activeElement?.closest('tr[aria-rowindex]');
    return row && Number(row.getAttribute('aria-rowindex')) - 2;
  });

/** The title at the upper end of the window, and how far from it. */
const readAtTop = (page: Page) =>
  page.evaluate(() => {
    for (const link of document.querySelectorAll('tbody a[href*="/decisions/"]')) {
      const { top } = link.getBoundingClientRect();
      if (top > 100) return { title: link.textContent, top: Math.round(top) };
    }
    return null;
  });

async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate((to) => window.scrollTo({ top: to }), top);
  await eventually(async () => {
    const seen = await readAtTop(page);
    expect(seen?.top).toBeLessThan(400);
  });
}

it('a list of 10,000 rows has only the rows in view in the page, is used by keyboard, and returns to the place that was left', async () => {
  const { page, rows, change } = await openLongList();
  expect(await rowsInPage(page)).toBeLessThan(60);
  expect(await page.locator('*').count()).toBeLessThan(3_000);
  await scrollTo(page, 300_000);
  expect(await rowsInPage(page)).toBeLessThan(60);
  const numbers = await page
    .locator('tbody tr[aria-rowindex]')
    .evaluateAll((rows) =>
      rows.map((row) => [
        Number(row.getAttribute('aria-rowindex')) - 2,
        Number(/Decision (\d+)/.exec(row.textContent!)![1]),
      ]),
    );
  // Each says which it is.
  for (const [index, number] of numbers) expect(index).toBe(number);
  expect(numbers[0]![0]).toBeGreaterThan(1_000);
  await checkAccessible(page);

  await links(page).nth(12).focus();
  const first = (await focusedRow(page))!;
  for (let n = 0; n < 80; n += 1) await page.keyboard.press('Tab');
  // A checkbox and a link in each row.
  expect(await focusedRow(page)).toBe(first + 40);

  await scrollTo(page, 0);
  expect(await focusedRow(page)).toBe(first + 40);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await focusedRow(page)).toBe(first + 39);
  await eventually(async () => expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100_000));

  await scrollTo(page, 100_000_000);
  await page.getByRole('link', { name: `Decision ${ROWS - 1}` }).waitFor();

  await scrollTo(page, 150_000);
  await scrollTo(page, 151_234);
  const left = await readAtTop(page);
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  await page.goBack();
  await eventually(async () => expect(await readAtTop(page)).toEqual(left));

  // It does not move when others change it.
  rows.splice(3, 1);
  const [again] = await Promise.all([
    page.waitForResponse((response) => response.url().includes(`cursor=${3 * ROWS_OF_A_PAGE}`)),
    change(),
  ]);
  expect(again.status()).toBe(200);
  await page.locator(`table[aria-rowcount="${ROWS}"]`).waitFor();
  await eventually(async () => expect(await readAtTop(page)).toEqual(left));
});

it('the audit log shows the details of an entry far down', async () => {
  const owner = await app.signUp();
  const real = await eventually(async () => (await owner.call('GET', '/audit-log')).data[0] ?? false);
  const data = Array.from({ length: 300 }, (_, at) => ({ ...real, id: `entry-${at}`, seq: 1_000 - at }));
  const page = await app.visit('/waymark.svg', owner);
  await page.route('**/v1/audit-log?*', (route) => route.fulfill({ json: { data, next_cursor: null } }));
  await page.goto(`/w/${owner.workspaceId}/audit`);
  await page.locator('table[aria-rowcount="301"]').waitFor();
  await eventually(async () => expect(await rowsInPage(page)).toBeLessThan(60));
  // Tab brings the rows that follow.
  await page.getByRole('button', { name: 'Details of entry 1000', exact: true }).focus();
  for (let n = 0; n < 100; n += 1) await page.keyboard.press('Tab');
  const name = await page.evaluate(() => {
    const row = document.activeElement!.closest('tr')!;
    return row.querySelector('button[aria-expanded]')!.getAttribute('aria-label')!;
  });
  await page.getByRole('button', { name, exact: true }).focus();
  const index = (await focusedRow(page))!;
  expect(index).toBeGreaterThan(10);
  await page.keyboard.press('Enter');
  await page.locator('table[aria-rowcount="302"]').waitFor();
  expect(await focusedRow(page)).toBe(index);
  await page.locator(`tr[aria-rowindex="${index + 3}"] td[colspan]`).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('table[aria-rowcount="301"]').waitFor();
  expect(await focusedRow(page)).toBe(index);
});
