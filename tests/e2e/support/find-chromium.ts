import { existsSync } from 'node:fs';

/** Chromium that cannot show windows: a page takes about a third less of the processors. */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';

const USUAL_PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns the browser for tests on this machine, CHROMIUM first; null if there is none. */
export function findChromium(env: Record<string, string | undefined>): string | null {
  const places = env['CHROMIUM'] ? [env['CHROMIUM']] : USUAL_PLACES;
  return places.find((place) => existsSync(place)) ?? null;
}
