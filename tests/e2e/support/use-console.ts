import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { EnvOf, Stack, StackClient } from '@waymark/testing';
import { patience } from '@waymark/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { joinProduct } from '../../support/join-product.ts';
import { launchBrowser } from './launch-browser.ts';
import { watchForFaults } from './watch-for-faults.ts';

/**
 * The timeout of an action in the browser. A click waits for several frames, and each frame needs four
 * processes to run.
 */
const ACTION_TIMEOUT_MS = patience(60_000);

export interface Visit {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  /** The language that the browser prefers. */
  locale?: string;
  /** A Cookie header from `product.signUp`, for a visitor who is signed in. */
  cookie?: string;
  /** Faults that the test causes on purpose. */
  expects?: RegExp;
}

export interface ConsoleUnderTest {
  readonly product: StackClient;
  /** Opens the console at a path as a new visitor with a separate browser profile. */
  visit(path: string, options?: Visit): Promise<Page>;
}

/**
 * Starts a browser and joins the shared product, or starts a separate product with `env`. After each test it
 * closes the test's pages and fails the test for each fault in one of them: a console error, a refusal by the
 * page's policy, a request to another host, a server error.
 */
export function useConsole(env?: EnvOf): ConsoleUnderTest {
  let product: StackClient;
  let own: Stack | undefined;
  let browser: Browser;
  let visits: { context: BrowserContext; faults: string[] }[] = [];
  const joined = env === undefined ? joinProduct() : undefined;

  beforeAll(async () => {
    [own, browser] = await Promise.all([env && startOwn(env), launchBrowser()]);
    product = own ?? joined!;
  });

  afterEach(async () => {
    const over = visits;
    visits = [];
    await Promise.all(over.map(({ context }) => context.close()));
    const faults = over.flatMap((visit) => visit.faults);
    if (faults.length > 0) throw new Error(`amiss in the browser:\n${faults.join('\n')}`);
  });

  afterAll(async () => {
    await browser?.close();
    await own?.stop();
  });

  return {
    get product() {
      return product;
    },
    async visit(path, { width = 1280, height = 800, colorScheme = 'light', locale, cookie, expects } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        ...(locale && { locale }),
        reducedMotion: 'reduce',
        baseURL: product.url,
      });
      context.setDefaultTimeout(ACTION_TIMEOUT_MS);
      if (cookie) {
        const [name = '', value = ''] = cookie.split('=');
        await context.addCookies([{ name, value, url: product.url, httpOnly: true, sameSite: 'Lax' }]);
      }
      const page = await context.newPage();
      const { origin } = new URL(path, product.url);
      visits.push({ context, faults: watchForFaults(page, { origin, expects }) });
      await page.goto(path);
      return page;
    },
  };
}

/** Imported on demand, because loading all services is slow. */
async function startOwn(env: EnvOf): Promise<Stack> {
  const { startProduct } = await import('../../support/product.ts');
  return startProduct(env);
}
