/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** So tall that a bar at the lower end covers no link. */
const NARROW = { width: 360, height: 2_000 };
const WIDE = { width: 1440, height: 900 };
/** The rules that depend on the scheme: the elements of both schemes are the same. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Fails for every violation that axe finds in the page, in the light and the dark scheme, and for elements
 * that are too wide or too close together at 360 pixels.
 */
export async function checkAccessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? NARROW;
  const found = await violationsInBothThemes(page, before);
  await resize(page, NARROW);
  found.push(...(await tooWide(page)), ...(await violations(page, 'narrow', ['target-size'])));
  await resize(page, before);
  expect(found).toEqual([]);
}

/**
 * Returns what axe finds by all rules, in both schemes, on a phone and on a desktop, and what is too wide for
 * the phone. It takes twice the time of checkAccessible.
 */
export async function violationsAtEachWidth(page: Page): Promise<string[]> {
  const onDesktop = await violationsInBothThemes(page, WIDE);
  return [...onDesktop, ...(await violationsInBothThemes(page, NARROW)), ...(await tooWide(page))];
}

async function violationsInBothThemes(
  page: Page,
  size: { width: number; height: number },
): Promise<string[]> {
  await resize(page, size);
  // The page is still loading until its heading is shown.
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found: string[] = [];
  // The scheme that it has comes first.
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  for (const colorScheme of [own, other]) {
    await page.emulateMedia({ colorScheme });
    // The pages of the documentation follow the browser by themselves.
    const follows = `html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme="${colorScheme}"]`;
    await page.locator(follows).waitFor({ state: 'attached' });
    await nextFrame(page);
    const only = colorScheme === own ? undefined : OF_COLOURS;
    found.push(...(await violations(page, `${size.width} pixels, ${colorScheme}`, only)));
  }
  return found;
}

/** Returns the violations of all rules, or of the rules in `only`. */
async function violations(page: Page, where: string, only?: string[]): Promise<string[]> {
  const results = await page.evaluate(async (named) => {
    const { axe: library } = window as unknown as { axe: typeof axe };
    // Axe runs the only AA rule that WCAG 2.2 adds only when it is enabled.
    const rules = { 'target-size': { enabled: true } };
    // Axe describes only the violations, not each element that passes: a third less of the renderer's time.
    const options = { resultTypes: ['violations' as const] };
    return (await library.run({ ...options, ...(named ? { runOnly: named } : { rules }) })).violations;
  }, only);
  return results.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${where}: ${id}, ${help}: ${html} ${failureSummary}`),
  );
}

async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  if (page.viewportSize()?.width === size.width) return;
  await page.setViewportSize(size);
  await nextFrame(page);
}

/** A change is visible in the next frame. */
async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Elements that make the page scroll sideways. */
async function tooWide(page: Page): Promise<string[]> {
  const elements = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const beyond = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    );
    return [`${scrollWidth} pixels`, ...beyond.map((element) => element.outerHTML.slice(0, 200))];
  });
  return elements.map((element) => `too wide for ${page.viewportSize()!.width} pixels: ${element}`);
}
