/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { entrance, fillWorkspace, show, USER_TEXT } from './support/screens.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** Texts that are the same in English and German, and words of the API. */
const SAME =
  /^(Waymark|(Workflows?|Webhooks?)( · Waymark)?|workflow|webhook|viewer|Admin|Name|Status|Tags?|Hash|Export|Import|URL|NDJSON|CSV|Deutsch|English|Live|Backlog|Browser|Free|Pro|Business|Enterprise|Version 1|Option 1|React Flow( attribution)?|https:.*)$/;

/** Returns a new visitor of the console in a language. */
async function visitIn(language: string, cookie?: string): Promise<Page> {
  const page = await app.visit('/waymark.svg', { ...(cookie && { cookie }) });
  await page.addInitScript((code) => {
    // An empty page has no storage.
    if (location.protocol !== 'about:') localStorage.setItem('waymark.language', code);
  }, language);
  return page;
}

/** Returns what the page says and how it names its elements, without texts of users, numbers and code. */
async function textsOf(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (
        parent?.checkVisibility() &&
        !parent.closest('[aria-hidden="true"]') &&
        !parent.closest('code, pre, kbd, script, style, noscript')
      )
        found.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('body :not([aria-hidden="true"])'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        found.push(element.getAttribute(name) ?? '');
    return found;
  });
  return texts.map((text) => text.trim()).filter((text) => /\p{L}{3}/u.test(text));
}

const isText = (text: string) =>
  !text.includes(USER_TEXT) &&
  !text.includes('@') &&
  !/^[\w*]+([.:/_-][\w*]+)+$/.test(text) &&
  !SAME.test(text);

describe('in German', () => {
  it('shows no English text', async () => {
    const { cookie, workspaceId, screens } = await fillWorkspace(app.product);
    const untranslated: string[] = [];
    for (const [visitor, list] of [
      [undefined, entrance],
      [cookie, screens],
    ] as const) {
      const [english, german] = await Promise.all([visitIn('en', visitor), visitIn('de', visitor)]);
      for (const screen of list) {
        const texts: string[][] = [];
        for (const page of [english, german]) {
          await show(page, screen);
          texts.push(await textsOf(page));
        }
        const [before, after] = texts as [string[], string[]];
        const same = [...new Set(after)].filter((text) => before.includes(text) && isText(text));
        untranslated.push(...same.map((text) => `${text} (${screen.path.replace(workspaceId, '…')})`));
      }
    }
    expect(untranslated).toEqual([]);
  });
});

describe('the language', () => {
  it('is that of the browser, and can be chosen and kept', async () => {
    const page = await app.visit('/sign-in', { locale: 'de-AT' });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('is English where the browser names no locale of Intl', async () => {
    const page = await app.visit('/waymark.svg');
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en_US'] }),
    );
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('formats dates, numbers and plurals', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const create = (title: string) =>
      app.product.call('POST', '/decisions', {
        cookie,
        body: { workspaceId, title, expectedBy: '2030-03-01' },
      });
    const { body } = await create('One');
    const page = await visitIn('de', cookie);
    await show(page, { path: `/w/${workspaceId}/decisions`, shown: 'main :text-is("1 Entscheidung")' });
    await create('Two');
    await page.locator('main :text-is("2 Entscheidungen")').waitFor();
    await show(page, { path: `/w/${workspaceId}/decisions/${body.id}`, shown: 'main :text("01.03.2030")' });
  });

  it('is English where the translation cannot be loaded', async () => {
    const page = await app.visit('/waymark.svg', {
      locale: 'de-DE',
      expects: /german|Failed to load|ERR_FAILED/i,
    });
    await page.route(/\/assets\/german-/, (route) => route.abort());
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });
});

describe('from right to left', () => {
  it('mirrors every page, and nothing scrolls sideways', async () => {
    const { cookie, screens } = await fillWorkspace(app.product);
    const page = await visitIn('ar-XB', cookie);
    const height = 800;
    for (const screen of screens) {
      await page.setViewportSize({ width: screen.open ? 1280 : 360, height });
      await show(page, screen);
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      if (!screen.open) {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([screen.path, width]).toEqual([screen.path, 360]);
      }
      await page.setViewportSize({ width: 1280, height });
      await eventually(async () => {
        const logo = (await page.locator('header a').first().boundingBox())!;
        expect(logo.x).toBeGreaterThan(640);
      });
    }
  });

  it('shows that it was chosen', async () => {
    const page = await visitIn('ar-XB');
    await show(page, { path: '/sign-in', shown: 'main h1' });
    const field = page.getByRole('combobox', { name: 'Language' });
    expect(await field.inputValue()).toBe('ar-XB');
  });

  it('stays accessible', async () => {
    const { cookie, screens } = await fillWorkspace(app.product);
    const page = await visitIn('ar-XB', cookie);
    for (const screen of [screens[1]!, screens[5]!]) {
      await show(page, screen);
      await checkAccessible(page);
    }
  });

  it('takes the direction of what users write from its first letter', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const answer = await app.product.call('POST', '/decisions', {
      cookie,
      body: { workspaceId, title: 'שלום עולם', rationale: 'مرحبا بالعالم' },
    });
    const page = await app.visit(`/w/${workspaceId}/decisions/${answer.body.id}`, { cookie });
    const title = page.getByRole('heading', { name: 'שלום עולם' });
    const text = page.getByText('مرحبا');
    for (const part of [title, text]) {
      await part.waitFor();
      const style = await part.evaluate((element) => getComputedStyle(element).unicodeBidi);
      expect(style).toBe('plaintext');
    }
  });

  it('keeps the direction of a name out of the text around it', async () => {
    const { workspaceId, cookie } = await app.product.signUp('Eve \u202e');
    const body = { workspaceId, title: 'One' };
    const answer = await app.product.call('POST', '/decisions', { cookie, body });
    const page = await app.visit(`/w/${workspaceId}/decisions/${answer.body.id}`, { cookie });
    await page.locator('main bdi', { hasText: 'Eve' }).waitFor();
  });
});
