/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkAccessible, useConsole, violationsAtEachWidth } from './support/index.ts';

const app = useConsole();

/** Of the page with everything that it loads, as sent. */
const FIRST_PAGE_BYTES = 200_000;

const transferred = (page: Page) =>
  page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => {
        const { name, transferSize } = entry as PerformanceResourceTiming;
        return { name: new URL(name).pathname, bytes: transferSize };
      },
    ),
  );

describe('the documentation', () => {
  it('has pages that everyone can read', async () => {
    const page = await app.visit('/docs');
    for (const path of [
      '/docs',
      '/docs/quickstart',
      '/docs/rate-limits',
      '/docs/errors',
      '/docs/reference',
      '/docs/reference/webhooks',
      '/docs/operating/configuration',
    ]) {
      await page.goto(path);
      expect([path, ...(await violationsAtEachWidth(page))]).toEqual([path]);
    }
  });

  it('needs less than 200 kB for a first page', async () => {
    const page = await app.visit('/docs');
    await page.waitForLoadState('networkidle');
    const files = await transferred(page);
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['/docs', '/docs/docs.css', '/docs/docs.js', expect.stringMatching(/woff2$/)]),
    );
    for (const { name, bytes } of files) expect([name, bytes > 0]).toEqual([name, true]);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(FIRST_PAGE_BYTES);
  });

  it('shows one language at a time, and keeps the choice on other pages and visits', async () => {
    const page = await app.visit('/docs/quickstart');
    const groups = await page.locator('.tabs').all();
    expect(groups.length).toBeGreaterThan(3);
    const offered = await Promise.all(
      groups.map((group) => group.locator('> [data-language]').evaluateAll(languagesOf)),
    );
    /** A group without the chosen language shows its first one. */
    const whenChosen = (language: string) =>
      offered.map((languages) => (languages.includes(language) ? language : languages[0]));
    const shown = () => page.locator('.tabs > [data-language]:visible');
    expect(await shown().evaluateAll(languagesOf)).toEqual(whenChosen('curl'));
    await groups[1]!.getByRole('radio', { name: 'TypeScript' }).check();
    expect(await shown().evaluateAll(languagesOf)).toEqual(whenChosen('TypeScript'));
    await page.reload();
    expect(await shown().evaluateAll(languagesOf)).toEqual(whenChosen('TypeScript'));
  });

  it('has the call of each operation beside its description, and below it on a phone', async () => {
    const page = await app.visit('/docs/reference/decisions', { width: 1_440 });
    const operation = page.locator('.operation', { has: page.locator('#updateDecision') });
    const boxes = async () => {
      const [text, call] = await Promise.all(
        [operation.getByRole('table').first(), operation.locator('.tabs')].map((part) => part.boundingBox()),
      );
      return { text: text!, call: call! };
    };
    const wide = await boxes();
    expect(wide.call.x).toBeGreaterThan(wide.text.x + wide.text.width);
    expect(wide.call.x + wide.call.width).toBeLessThanOrEqual(1_440);
    const code = operation.locator('.tabs pre:visible');
    expect(await code.textContent()).toMatch(/^curl .*\/v1\/decisions\/0190a6b2[^"]*" \\\n {2}-X PATCH/);
    await operation.getByRole('radio', { name: 'TypeScript' }).check();
    expect(await code.textContent()).toContain("waymark.PATCH('/decisions/{id}', {");
    await page.setViewportSize({ width: 360, height: 740 });
    const narrow = await boxes();
    expect(narrow.call.y).toBeGreaterThan(narrow.text.y + narrow.text.height);
    const files = await transferred(page);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(FIRST_PAGE_BYTES);
  });

  it('searches with the keyboard alone, and loads the index only then', async () => {
    const page = await app.visit('/docs');
    expect((await transferred(page)).map(({ name }) => name)).not.toContain('/docs/search.json');
    await page.keyboard.press('/');
    await page.keyboard.type('rotate webhook secret');
    await page
      .getByRole('status')
      .getByText(/^\d+ results?$/)
      .waitFor({ state: 'attached' });
    await page.locator('.results a').first().waitFor();
    await checkAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/webhooks#rotateWebhookSecret');
    await page.keyboard.press('/');
    await page.keyboard.type('xyzzy');
    await page.getByRole('status').getByText('No results').waitFor({ state: 'attached' });
  });

  it('has a menu of all pages on a phone', async () => {
    const page = await app.visit('/docs', { width: 360 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await checkAccessible(page);
    await page.getByRole('link', { name: 'Idempotency', exact: true }).click();
    await page.getByRole('heading', { name: 'Idempotency', level: 1 }).waitFor();
  });

  it('copies code, and skips to the content', async () => {
    const page = await app.visit('/docs/quickstart');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('export WAYMARK_API_KEY=');
    await page.goto('/docs');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('docs-content');
  });

  it('leads old links of the reference to their operation', async () => {
    const page = await app.visit('/docs#createWebhook');
    await page.waitForURL('**/docs/reference/webhooks#createWebhook');
    await page.goto('/docs#api-keys');
    await page.waitForURL('**/docs/reference#api-keys');
  });

  it('leads to the console', async () => {
    const page = await app.visit('/docs');
    await page.getByRole('link', { name: 'Console', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('explains an error and leads to all others', async () => {
    const refused = await app.product.call('POST', '/auth/sign-in', { body: {} });
    const page = await app.visit(refused.body.docs);
    await page.getByRole('heading', { name: 'VALIDATION_ERROR', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'All errors' }).click();
    await page.getByRole('link', { name: 'NOT_FOUND', exact: true }).click();
    await page.getByRole('heading', { name: 'NOT_FOUND', level: 1 }).waitFor();
  });
});

function languagesOf(elements: Element[]): (string | undefined)[] {
  return elements.map((element) => (element as HTMLElement).dataset['language']);
}
