import { spawnSync } from 'node:child_process';
import { findChromium } from '../../tests/e2e/support/find-chromium.ts';

/** Without a network, apt tries for long. */
const APT_LIMIT_MS = 180_000;

/** Installs Chromium where root may, by apt. Ends the process with one line where no browser is found. */
export function ensureChromium(): void {
  const found = () => findChromium(process.env);
  if (process.getuid?.() === 0 && !process.env['CHROMIUM'] && !found()) {
    console.error('Installing Chromium');
    const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'ignore', timeout: APT_LIMIT_MS });
    apt('update');
    // Not every distribution has the first.
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (apt('install', '-y', '--no-install-recommends', name).status === 0) break;
  }
  if (found()) return;
  console.error(
    'The tests of the console need Chromium: install the package chromium, or set CHROMIUM to it.',
  );
  process.exit(1);
}
