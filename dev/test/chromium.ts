import { execFileSync } from 'node:child_process';
import { findChromium } from '../../tests/e2e/support/find-chromium.ts';

const NEEDED =
  'The tests of the console need Chromium: install the package chromium, or set CHROMIUM to its path.';

/** Installs Chromium where root may, by apt. Throws where no browser is found. */
export function ensureChromium(): void {
  if (findChromium(process.env)) return;
  if (process.getuid?.() !== 0) throw new Error(NEEDED);
  console.error('Installing Chromium');
  try {
    execFileSync('apt-get', ['update'], { stdio: 'pipe' });
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'pipe' });
  } catch (cause) {
    throw new Error(NEEDED, { cause });
  }
  if (!findChromium(process.env)) throw new Error(NEEDED);
}
