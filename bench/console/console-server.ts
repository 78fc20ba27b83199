import type { ServiceName } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import type { BrowserContext } from 'playwright-core';
import { buildPages } from '../../dev/build-pages.ts';
import { launchBrowser } from '../../tests/e2e/support/launch-browser.ts';
import { startBench } from '../support/bench.ts';

/**
 * Starts the built console, the gateway and these services as processes, and creates a user with a
 * workspace.
 */
export async function startConsoleStand(only: ServiceName[]) {
  await buildPages({ root: findRepositoryRoot(), log: console.error });
  const bench = await startBench({ only });
  const { origin: url } = new URL(bench.baseUrl);
  const workspace = await bench.workspace();
  const browser = await launchBrowser();
  return {
    ...workspace,
    url,
    mongo: bench.mongo,
    /** Opens a browser with an empty cache, in which the user is signed in. */
    async visitor(): Promise<BrowserContext> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const [name = '', value = ''] = workspace.cookie.split('=');
      await context.addCookies([{ name, value, url }]);
      return context;
    },
    async stop() {
      await browser.close();
      await bench.stop();
    },
  };
}
