/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';
import {
  checkAccessible,
  entrance,
  fillWorkspace,
  type Person,
  show,
  USER_TEXT,
  useConsole,
} from './support/index.ts';

const app = useConsole();

/** Texts that are the same in English and German, and words of the API. */
const SAME =
  /^(Waymark|(Workflows?|Webhooks?)( · Waymark)?|workflow|webhook|viewer|Admin|Name|Status|Tags?|Hash|Export|Import|URL|NDJSON|CSV|Deutsch|English|Live|Backlog|Browser|Free|Pro|Business|Enterprise|Board|Version #|Option #|React Flow( attribution)?|https:.*)$/;

/** The language with English texts from right to left. */
const MIRRORED = 'ar-XB';

/** Returns a new visitor of the console in a language. */
async function visitIn(language: string, person?: Person): Promise<Page> {
  const page = await app.visit('/waymark.svg', person);
  await page.addInitScript((code) => localStorage.setItem('waymark.language', code), language);
  return page;
}

/**
 * Returns what the page says and how it names its elements, without texts of users and code. Numbers become
 * `#`: each language has its own digits.
 */
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
  return texts
    .map((text) => text.trim().replace(/\p{N}+([.,٫٬]\p{N}+)*/gu, '#'))
    .filter((text) => /\p{L}{3}/u.test(text));
}

/** The end of an id, with digits as `#`. */
const SHORT_ID = /^…[a-f#]+$/;

const isText = (text: string) =>
  !text.includes(USER_TEXT) &&
  !text.includes('@') &&
  !/^[\w*#]+([.:/_-][\w*#]+)+$/.test(text) &&
  !SHORT_ID.test(text) &&
  !SAME.test(text);

it('each page shows no English text in German, and is mirrored and accessible from right to left without scrolling sideways', async () => {
  const { owner, screens } = await fillWorkspace(app);
  const untranslated: string[] = [];
  for (const [visitor, list] of [
    [undefined, entrance],
    [owner, screens],
  ] as const) {
    const [mirrored, german] = await Promise.all([visitIn(MIRRORED, visitor), visitIn('de', visitor)]);
    for (const screen of list) {
      const where = screen.path.replace(owner.workspaceId, '…');
      await mirrored.setViewportSize({ width: screen.open ? 1_280 : 360, height: 800 });
      await show(mirrored, screen);
      expect(await mirrored.locator('html').getAttribute('dir')).toBe('rtl');
      const width = await mirrored.evaluate(() => document.documentElement.scrollWidth);
      expect([where, width]).toEqual([where, mirrored.viewportSize()!.width]);
      await mirrored.setViewportSize({ width: 1_280, height: 800 });
      const logo = mirrored.locator('header a').first();
      if (visitor) await eventually(async () => expect((await logo.boundingBox())!.x).toBeGreaterThan(640));
      else expect(await mirrored.getByRole('combobox', { name: 'Language' }).inputValue()).toBe(MIRRORED);
      if ([screens[1], screens[5]].includes(screen)) await checkAccessible(mirrored);
      await show(german, screen);
      const [before, after] = [await textsOf(mirrored), await textsOf(german)];
      const same = [...new Set(after)].filter((text) => before.includes(text) && isText(text));
      untranslated.push(...same.map((text) => `${text} (${where})`));
    }
  }
  expect(untranslated).toEqual([]);
});

it('the language is that of the browser, and can be chosen and kept', async () => {
  const page = await app.visit('/sign-in', { locale: 'de-AT' });
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
});

it('the language of the console and of e-mail is chosen in the account', async () => {
  const owner = await app.signUp();
  const page = await owner.open('settings');
  await page.goto('/account');
  const ofMail = async () => (await owner.call('GET', '/auth/me')).user.language;
  await page.getByLabel('Console and e-mail').selectOption('Deutsch');
  await page.getByRole('heading', { name: 'Sprache' }).waitFor();
  expect(await ofMail()).toBe('de');
  await page.getByLabel('Nur E-Mails').selectOption('English');
  await eventually(async () => expect(await ofMail()).toBe('en'));
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await checkAccessible(page);
  await page.getByRole('button', { name: /^Konto von/ }).click();
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await page.getByRole('heading', { name: 'Language' }).waitFor();
  expect(await ofMail()).toBe('en');
});

it('the language is English where the browser names no locale of Intl, or the translation cannot be loaded', async () => {
  const page = await app.visit('/waymark.svg');
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en_US'] }),
  );
  await page.goto('/sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  const german = await app.visit('/waymark.svg', {
    locale: 'de-DE',
    expects: /german|Failed to load|ERR_FAILED/i,
  });
  await german.route(/\/assets\/german-/, (route) => route.abort());
  await german.goto('/sign-in');
  await german.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await german.locator('html').getAttribute('lang')).toBe('en');
});

it('the language formats dates, numbers and plurals', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('One', { expectedBy: '2030-03-01' });
  const page = await visitIn('de', owner);
  const path = `/w/${owner.workspaceId}/decisions`;
  await show(page, { path, shown: 'main :text-is("1 Entscheidung")' });
  await owner.decide('Two');
  await page.locator('main :text-is("2 Entscheidungen")').waitFor();
  await show(page, { path: `${path}/${id}`, shown: 'main :text("01.03.2030")' });
});

it('a text of a user has the direction of its first letter, apart from the text around it', async () => {
  const owner = await app.signUp('Eve \u202e');
  const page = await owner.open(
    `decisions/${await owner.decide('שלום עולם', { rationale: 'مرحبا بالعالم' })}`,
  );
  for (const part of [page.getByRole('heading', { name: 'שלום עולם' }), page.getByText('مرحبا')]) {
    // The renderer of Markdown may replace the element between two looks at it.
    await eventually(async () => {
      const style = await part.evaluate((element) => getComputedStyle(element).unicodeBidi);
      expect(style).toBe('plaintext');
    });
  }
  await page.locator('main bdi', { hasText: 'Eve' }).waitFor();
});
