/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useConsole } from './support/index.ts';

const app = useConsole();

const FONT = /^\/assets\/inter-([0-9a-f]{8})\.woff2$/;
const FONT_LIMIT_BYTES = 40_000;
const PRELOADED_FONT = 'link[rel=preload][as=font]';

const fetched = async (path: string) => {
  const response = await fetch(new URL(path, app.product.url));
  return { headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
};

const attributeOf = async (page: Page, selector: string, attribute: string) =>
  (await page.locator(selector).getAttribute(attribute))!;

/** From the first chunk of the file. */
const pngSize = (file: Buffer) => [file.readUInt32BE(16), file.readUInt32BE(20)];

it('the page of sign-in preloads a small font unless the connection is slow, has an icon and an image for links to it, and moves only for those who allow motion', async () => {
  const page = await app.visit('/sign-in');
  const font = await attributeOf(page, PRELOADED_FONT, 'href');
  const [, hash] = FONT.exec(font) ?? [];
  const { headers, body } = await fetched(font);
  expect(body.length).toBeLessThan(FONT_LIMIT_BYTES);
  expect(createHash('sha256').update(body).digest('hex').slice(0, 8)).toBe(hash);
  expect(headers.get('content-type')).toBe('font/woff2');
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await fetched('/inter-license.txt')).body.toString()).toContain('SIL OPEN FONT LICENSE');

  const image = new URL(await attributeOf(page, 'meta[property="og:image"]', 'content'));
  const icon = await attributeOf(page, 'link[rel=icon][type="image/png"]', 'href');
  const touch = await attributeOf(page, 'link[rel="apple-touch-icon"]', 'href');
  const images = await Promise.all([image.pathname, icon, touch].map(fetched));
  const sizes = [
    [1_200, 630],
    [48, 48],
    [180, 180],
  ];
  expect(images.map((file) => pngSize(file.body))).toEqual(sizes);
  const svg = await attributeOf(page, 'link[rel=icon][type="image/svg+xml"]', 'href');
  expect((await fetched(svg)).headers.get('content-type')).toBe('image/svg+xml');

  await page.getByRole('heading', { level: 1 }).waitFor();
  const moving = page.locator('.entrance > *').first();
  const animation = () => moving.evaluate((element) => getComputedStyle(element).animationName);
  expect(await animation()).toBe('none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await animation()).toBe('appear');

  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } });
  });
  await page.goto('/sign-in', { waitUntil: 'load' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator(PRELOADED_FONT).count()).toBe(0);
});

it('the page of sign-in has the font and the colours of the pages about the API', async () => {
  const [sheet, link] = ['.mantine-Paper-root, body:not(:has(.mantine-Paper-root)) main', 'main a[href]'];
  const colorsOf = async (path: string) => {
    const page = await app.visit(path);
    await page.locator(link).first().waitFor();
    const font = await page.evaluate(async () => {
      const [face] = await document.fonts.load('15px Inter', 'Größe Łódź');
      const { fontFamily } = getComputedStyle(document.querySelector('h1')!);
      return { fontFamily, loaded: face?.family, display: face?.display };
    });
    // It does not move the text when it is late.
    const expected = {
      fontFamily: expect.stringMatching(/^Inter, /),
      loaded: 'Inter',
      display: 'optional',
    };
    expect(font).toEqual(expected);
    const found: string[][] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const follows = `html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme="${colorScheme}"]`;
      await page.locator(follows).waitFor({ state: 'attached' });
      const styleOf = (selector: string, name: 'color' | 'backgroundColor') =>
        page
          .locator(selector)
          .first()
          .evaluate((element, property) => getComputedStyle(element)[property], name);
      const background = await styleOf(sheet, 'backgroundColor');
      found.push([background, await styleOf(sheet, 'color'), await styleOf(link, 'color')]);
    }
    return found;
  };
  expect(await colorsOf('/docs/errors')).toEqual(await colorsOf('/sign-in'));
});

it('the density is chosen in the menu of the account, and kept there', async () => {
  const owner = await app.signUp();
  await owner.decide('Where to build', { tags: ['quay', 'yard'] });
  const page = await owner.open('decisions');
  const row = page.getByRole('row').filter({ hasText: 'Where to build' });
  const height = async () => (await row.boundingBox())!.height;
  const comfortable = await height();
  expect(comfortable).toBeLessThanOrEqual(42);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Compact rows', pressed: false }).click();
  await page.locator('html[data-density="compact"]').waitFor({ state: 'attached' });
  const compact = await height();
  expect(compact).toBeLessThanOrEqual(comfortable - 8);
  await page.reload();
  await row.waitFor();
  expect(await height()).toBe(compact);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Compact rows', pressed: true }).click();
  await page.locator('html[data-density="comfortable"]').waitFor({ state: 'attached' });
  expect(await height()).toBe(comfortable);
});

it('the list of decisions shows a tag at 1280 px, however long the title, and all of them on hover, focus and tap', async () => {
  const owner = await app.signUp();
  const tags = ['quay', ...Array.from({ length: 5 }, (_, i) => `a rather long tag number ${i + 2}`)];
  await owner.decide('Where to build the yard '.repeat(4), { tags });
  const page = await owner.open('decisions');
  const storageState = await page.context().storageState();
  const context = { storageState, hasTouch: true, isMobile: true, viewport: { width: 1280, height: 800 } };
  const touch = await page.context().browser()!.newContext(context);
  const screen = await touch.newPage();
  await screen.goto(page.url());
  const box = (on: Page) => on.locator('td .tags');
  const readable = (on: Page) =>
    box(on)
      .getByRole('link')
      .evaluateAll((links) =>
        links.flatMap((link) => {
          const { left, right, top, height } = link.getBoundingClientRect();
          const isOnTop = [left + 2, (left + right) / 2, right - 2].every((x) =>
            link.contains(document.elementFromPoint(x, top + height / 2)),
          );
          return isOnTop && link.scrollWidth <= link.clientWidth ? [link.textContent] : [];
        }),
      );
  const rowOf = (on: Page) => on.getByRole('row').nth(1).boundingBox();
  const all = tags.map((tag) => `#${tag}`);
  for (const [on, show] of [
    [page, () => box(page).hover()],
    [page, () => box(page).getByRole('link').last().focus()],
    [screen, () => box(screen).tap({ position: { x: 60, y: 12 } })],
  ] as const) {
    await box(on).getByRole('link', { name: '#quay' }).waitFor();
    expect(await readable(on)).toEqual(['#quay']);
    const more = box(on).locator('div');
    expect(await more.evaluate((one) => getComputedStyle(one, '::after').content)).toBe('"+5"');
    const row = await rowOf(on);
    await show();
    expect(await readable(on)).toEqual(all);
    expect(await rowOf(on)).toEqual(row);
    await on.mouse.move(0, 0);
  }
  await box(screen).getByRole('link', { name: all[5]! }).tap();
  await screen.waitForURL(/tag=a(\+|%20)rather/);
  await touch.close();
});

it('a message is at the bottom centre, and stays while one points at it', async () => {
  const owner = await app.signUp();
  const page = await app.visit('/waymark.svg', { ...owner, ownClock: true });
  for (const width of [1_440, 360]) {
    const id = await owner.decide('Where to build', { rationale: 'It is dry there.' });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/w/${owner.workspaceId}/decisions/${id}`);
    await page.getByRole('button', { name: 'Accept' }).click();
    const message = page.getByRole('status').getByRole('alert');
    await message.waitFor();
    const shown = (await message.boundingBox())!;
    expect(shown.x + shown.width / 2).toBeCloseTo(width / 2, 0);
    expect(shown.y + shown.height).toBeCloseTo(800 - 16, 0);

    await message.hover();
    await page.clock.runFor(60_000);
    expect(await message.count()).toBe(1);
    await page.mouse.move(width / 2, 400);
    await page.clock.runFor(5_000);
    await message.waitFor({ state: 'detached' });
  }
});

it('a title in the list of decisions takes at most two lines beside all columns, and is whole on a phone', async () => {
  const owner = await app.signUp('Augusta Ada King, Countess of Lovelace');
  const { workspaceId } = owner;
  const columns = ['status', 'outcome', 'quality', 'expected', 'author', 'created', 'changed'];
  await owner.call('PATCH', '/views/settings', { workspaceId, kind: 'decisions', columns });
  const title = 'Which vendor builds the yard, given the budget of this year and the storms of the last one';
  const fields = {
    decisionType: 'architecture',
    tags: ['customer-facing', 'quay'],
    expectedBy: '2020-01-01',
  };
  await owner.decide(title, fields);
  const page = await owner.open('decisions');
  const link = page.getByRole('link', { name: title });
  for (const width of [360, 390, 600, 768, 769, 1_024, 1_280, 1_439, 1_440, 1_920]) {
    await page.setViewportSize({ width, height: 800 });
    const { height } = (await link.boundingBox())!;
    const table = page.locator('.table-scroll');
    const hidden = await table.evaluate((one) => one.scrollWidth - one.clientWidth);
    const most = width < 768 ? 96 : 48;
    expect({ width, fits: height <= most }).toEqual({ width, fits: true });
    const isWhole = await link.evaluate((one) => one.scrollHeight <= one.clientHeight);
    if (width < 768) expect({ width, isWhole }).toEqual({ width, isWhole: true });
    // A narrower table scrolls, and one on a phone is cards.
    if (width >= 1_280) expect({ width, hidden }).toEqual({ width, hidden: 0 });
  }
  expect(await link.getAttribute('title')).toBe(title);
});

it('a status or outcome to choose begins with a capital letter, as in the list', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Where to build', { status: 'accepted' });
  const page = await owner.open(`decisions/${id}/edit`);
  const options = async (label: RegExp) => {
    const choice = page.getByRole('combobox', { name: label });
    await choice.waitFor();
    return choice.locator('option:enabled').allTextContents();
  };
  expect(await options(/^Status/)).toEqual(['Proposed', 'Accepted', 'Rejected', 'Archived']);
  await page.goto(`/w/${owner.workspaceId}/decisions/${id}`);
  await page.getByRole('button', { name: 'Log outcome' }).click();
  expect(await options(/^Outcome/)).toEqual(['Success', 'Partial', 'Failure', 'Abandoned']);
});
