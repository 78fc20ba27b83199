import { spawnSync } from 'node:child_process';
import { findChromium } from '../../tests/e2e/support/find-chromium.ts';

/** Installs Chromium where root may, by apt. Ends the process with one line where no browser is found. */
export function ensureChromium(): void {
  if (findChromium(process.env)) return;
  if (process.getuid?.() === 0) {
    console.error('Installing Chromium');
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore' });
    if (findChromium(process.env)) return;
  }
  console.error(
    'The tests of the console need Chromium: install the package chromium, or set CHROMIUM to it.',
  );
  process.exit(1);
}
