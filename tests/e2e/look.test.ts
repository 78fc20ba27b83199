/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const FONT = /^\/assets\/inter-([0-9a-f]{8})\.woff2$/;
const FONT_LIMIT_BYTES = 40_000;

const fetched = async (path: string) => {
  const response = await fetch(new URL(path, app.product.url));
  return { headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
};

function contentOf(page: Page, selector: string, attribute: string): Promise<string> {
  return page
    .locator(selector)
    .getAttribute(attribute)
    .then((value) => value ?? '');
}

describe('the font', () => {
  it('is small, preloaded, cached until it changes, and has a licence', async () => {
    const page = await app.visit('/sign-in');
    const path = await contentOf(page, 'link[rel=preload][as=font]', 'href');
    const [, hash] = FONT.exec(path) ?? [];
    const { headers, body } = await fetched(path);
    expect(body.length).toBeLessThan(FONT_LIMIT_BYTES);
    expect(createHash('sha256').update(body).digest('hex').slice(0, 8)).toBe(hash);
    expect(headers.get('content-type')).toBe('font/woff2');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetched('/inter-license.txt')).body.toString()).toContain('SIL OPEN FONT LICENSE');
  });

  it('stays away where the browser calls the connection slow', async () => {
    const page = await app.visit('/waymark.svg');
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } });
    });
    await page.goto('/sign-in', { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('link[rel=preload][as=font]').count()).toBe(0);
  });

  it.each(['/sign-in', '/docs'])(
    'is the one of %s, and does not move its text when it is late',
    async (path) => {
      const page = await app.visit(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const faces = await page.evaluate(async () => {
        const [face] = await document.fonts.load('15px Inter', 'Größe Łódź');
        const { fontFamily } = getComputedStyle(document.querySelector('h1')!);
        return { fontFamily, loaded: face?.family, display: face?.display };
      });
      expect(faces).toEqual({
        fontFamily: expect.stringMatching(/^Inter, /),
        loaded: 'Inter',
        display: 'optional',
      });
    },
  );
});

it('has the colours of the console in the pages about the API', async () => {
  const [sheet, link] = ['.mantine-Paper-root, body:not(:has(.mantine-Paper-root)) main', 'main a[href]'];
  const colorsOf = async (path: string) => {
    const page = await app.visit(path);
    await page.locator(link).first().waitFor();
    const found: string[][] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const follows = `html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme="${colorScheme}"]`;
      await page.locator(follows).waitFor({ state: 'attached' });
      const background = await page
        .locator(sheet)
        .evaluate((element) => getComputedStyle(element).backgroundColor);
      const colors = [sheet, link].map((selector) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => getComputedStyle(element).color),
      );
      found.push([background, ...(await Promise.all(colors))]);
    }
    return found;
  };
  expect(await colorsOf('/docs/errors')).toEqual(await colorsOf('/sign-in'));
});

describe('a link to the console', () => {
  it('has an icon and an image for previews', async () => {
    const page = await app.visit('/sign-in');
    const image = new URL(await contentOf(page, 'meta[property="og:image"]', 'content'));
    const icon = await contentOf(page, 'link[rel=icon][type="image/png"]', 'href');
    const touch = await contentOf(page, 'link[rel="apple-touch-icon"]', 'href');
    const sizes = await Promise.all(
      [image.pathname, icon, touch].map(async (path) => pngSize((await fetched(path)).body)),
    );
    expect(sizes).toEqual([
      [1_200, 630],
      [48, 48],
      [180, 180],
    ]);
    const svg = await contentOf(page, 'link[rel=icon][type="image/svg+xml"]', 'href');
    expect((await fetched(svg)).headers.get('content-type')).toBe('image/svg+xml');
  });
});

/** From the first chunk of the file. */
const pngSize = (file: Buffer) => [file.readUInt32BE(16), file.readUInt32BE(20)];

describe('the density', () => {
  it('is chosen in the menu of the account, and kept', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    await app.product.call('POST', '/decisions', { cookie, body: { workspaceId, title: 'Where to build' } });
    const page = await app.visit(`/w/${workspaceId}/decisions`, { cookie });
    const row = page.getByRole('row').filter({ hasText: 'Where to build' });
    const height = async () => (await row.boundingBox())!.height;
    const comfortable = await height();
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
});

it('moves nothing for users who ask for less motion', async () => {
  const page = await app.visit('/sign-in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const animation = () =>
    page
      .locator('.entrance > *')
      .first()
      .evaluate((element) => getComputedStyle(element).animationName);
  expect(await animation()).toBe('none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await animation()).toBe('appear');
});

describe('a message', () => {
  it.each([1_440, 360])(
    'covers nothing of the page, %d pixels wide, and stays while one points at it',
    async (width) => {
      const { workspaceId, cookie } = await app.product.signUp();
      const body = { workspaceId, title: 'Where to build', rationale: 'It is dry there.' };
      const { id } = (await app.product.call('POST', '/decisions', { cookie, body })).body;
      const page = await app.visit(`/w/${workspaceId}/decisions/${id}`, { cookie, width });
      await page.clock.install();
      await page.getByRole('button', { name: 'Accept' }).click();
      const message = page.getByRole('status').getByRole('alert');
      await message.waitFor();
      const shown = (await message.boundingBox())!;
      const main = (await page.getByRole('main').boundingBox())!;
      const header = (await page.getByRole('banner').boundingBox())!;
      if (width > 1_000) expect(shown.x + shown.width).toBeLessThanOrEqual(main.x);
      else expect(shown.y + shown.height).toBeLessThanOrEqual(header.y + header.height);

      // It waits for whoever points at it.
      await message.hover();
      await page.clock.runFor(60_000);
      expect(await message.count()).toBe(1);
      await page.mouse.move(width / 2, 400);
      await page.clock.runFor(5_000);
      await message.waitFor({ state: 'detached' });
    },
  );
});
