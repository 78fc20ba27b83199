import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { EnvOf, Stack, StackClient } from '@waymark/testing';
import { patience } from '@waymark/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { joinProduct } from '../../support/join-product.ts';
import { type Person, personOf } from './person.ts';
import { clearStorage, newProfile, returnProfile, takeProfile } from './profiles.ts';
import { watchForFaults } from './watch-for-faults.ts';

/**
 * The timeout of an action in the browser. A click waits for several frames, and each frame needs four
 * processes to run.
 */
const ACTION_TIMEOUT_MS = patience(60_000);

export interface Visit {
  width?: number;
  height?: number;
  /** A Cookie header of a session, for a visitor who is signed in. */
  cookie?: string;
  /** The language that the browser prefers. */
  locale?: string;
  /** The test moves the time of the page, with `page.clock`. */
  ownClock?: boolean;
  /** A visitor who is signed in has an empty cache as well. */
  isNewProfile?: boolean;
  /** Faults that the test causes on purpose. */
  expects?: RegExp;
}

export interface ConsoleUnderTest {
  readonly product: StackClient;
  /** Opens the console at a path as a visitor with a separate browser profile. */
  visit(path: string, options?: Visit): Promise<Page>;
  /** Signs up a person with a workspace. */
  signUp(name?: string): Promise<Person>;
}

/**
 * Joins the shared product, or starts a separate product with `env`. After each test it closes the test's
 * pages and fails the test for each fault in one of them: a console error, a refusal by the page's policy, a
 * request to another host, a server error.
 */
export function useConsole(env?: EnvOf): ConsoleUnderTest {
  let product: StackClient;
  let own: Stack | undefined;
  let visits: { profile: BrowserContext; faults: string[]; isOver: () => Promise<void> }[] = [];
  const joined = env === undefined ? joinProduct() : undefined;

  beforeAll(async () => {
    own = env && (await startOwn(env));
    product = own ?? joined!;
  });

  afterEach(async () => {
    const over = visits;
    visits = [];
    await Promise.all(over.map(({ isOver }) => isOver()));
    const faults = over.flatMap((visit) => visit.faults);
    if (faults.length > 0) throw new Error(`amiss in the browser:\n${faults.join('\n')}`);
  });

  afterAll(() => own?.stop());

  const visit: ConsoleUnderTest['visit'] = async (path, options = {}) => {
    const { width = 1280, height = 800, cookie, locale, ownClock, isNewProfile, expects } = options;
    // A visitor who is not signed in has never been here.
    const isUsed = cookie !== undefined && !own && !locale && !ownClock && !isNewProfile;
    const url = own?.env['PUBLIC_URL'] ?? product.url;
    const profile = await (isUsed ? takeProfile(url) : newProfile(url, locale));
    profile.setDefaultTimeout(ACTION_TIMEOUT_MS);
    if (ownClock) await profile.clock.install();
    if (cookie) {
      const [name = '', value = ''] = cookie.split('=');
      await profile.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await profile.newPage();
    if (isUsed) await clearStorage(page, url);
    await page.setViewportSize({ width, height });
    const { origin } = new URL(path, url);
    const faults = watchForFaults(page, { origin, expects });
    visits.push({ profile, faults, isOver: () => (isUsed ? returnProfile(profile) : profile.close()) });
    await page.goto(path);
    return page;
  };

  return {
    get product() {
      return product;
    },
    visit,
    signUp: async (name) => personOf(product, await product.signUp(name), visit),
  };
}

/** Imported on demand, because loading all services is slow. */
async function startOwn(env: EnvOf): Promise<Stack> {
  const { startProduct } = await import('../../support/product.ts');
  return startProduct(env);
}
