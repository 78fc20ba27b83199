import type { Browser, BrowserContext, Page } from 'playwright-core';
import { stopBeforeStores } from '../../../libs/testing/src/jest/global-setup.ts';
import { launchBrowser } from './launch-browser.ts';

let launching: Promise<Browser> | undefined;
/** Profiles that tests are done with. Their caches have the files of the console. */
const idle: BrowserContext[] = [];

/** Returns the browser that all test files of a worker share. */
function sharedBrowser(): Promise<Browser> {
  if (launching) return launching;
  const launched = launchBrowser();
  launching = launched;
  // Jest's own process runs a single file. It ends the stores after the tests.
  stopBeforeStores(async () => (await launched).close());
  // Jest ends a worker by removing its listener, and waits until nothing is open. Playwright kills the
  // browser when the process exits.
  process.on('removeListener', (event) => event === 'message' && process.exit());
  return launched;
}

/** Returns a new profile for a product. */
export async function newProfile(baseURL: string, locale?: string): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  return browser.newContext({ baseURL, reducedMotion: 'reduce', ...(locale && { locale }) });
}

/** Returns a profile for the shared product without cookies, permissions and pages, until `returnProfile`. */
export async function takeProfile(baseURL: string): Promise<BrowserContext> {
  return idle.pop() ?? newProfile(baseURL);
}

export async function returnProfile(profile: BrowserContext): Promise<void> {
  await Promise.all(profile.pages().map((page) => page.close()));
  await profile.clearCookies();
  await profile.clearPermissions();
  await profile.setOffline(false);
  idle.push(profile);
}

/** Deletes what an earlier test has stored in the profile of a new page. */
export async function clearStorage(page: Page, origin: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await devtools.detach();
}
