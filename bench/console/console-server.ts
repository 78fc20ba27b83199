import type { ServiceName } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { httpCall } from '@waymark/testing';
import type { BrowserContext } from 'playwright-core';
import { buildPages } from '../../dev/build-pages.ts';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { launchBrowser } from '../../tests/e2e/support/launch-browser.ts';

export interface ConsoleStand {
  url: string;
  mongoUrl: string;
  workspaceId: string;
  /** The Cookie header of the user. */
  cookie: string;
  /** Calls the API as the user. Throws unless the call succeeds. */
  call(method: string, path: string, body: object): Promise<{ id: string }>;
  /** A browser with an empty cache, in which the user is signed in. */
  visitor(): Promise<BrowserContext>;
  stop(): Promise<void>;
}

/**
 * Starts the built console, the gateway and these services as processes, and creates a user with a
 * workspace.
 */
export async function startConsoleStand(only: ServiceName[]): Promise<ConsoleStand> {
  await buildPages({ root: findRepositoryRoot(), log: console.error });
  const product = await startTemporaryProduct({ only, env: { LIMIT_SCALE: '1000000' } });
  const { baseUrl } = product.services;
  const { origin: url } = new URL(baseUrl);
  const { workspaceId, cookie } = await newWorkspace(baseUrl, 'bench');
  const browser = await launchBrowser();
  return {
    url,
    mongoUrl: product.stores.mongoUrl,
    workspaceId,
    cookie,
    async call(method, path, body) {
      const answer = await httpCall(baseUrl, method, path, { body, headers: { cookie } });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    async visitor() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
      return context;
    },
    async stop() {
      await browser.close();
      await product.stop();
    },
  };
}
