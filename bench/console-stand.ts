import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startStores } from '@waymark/local-stack';
import { httpCall } from '@waymark/testing';
import { type BrowserContext, chromium } from 'playwright-core';
import { buildConsole } from '../dev/console.ts';
import { readSecrets } from '../dev/secrets.ts';
import { startServices } from '../dev/services.ts';
import { findChromium } from '../tests/e2e/find-chromium.ts';

export interface ConsoleStand {
  url: string;
  mongoUrl: string;
  workspaceId: string;
  /** A call of the API by the user; fails unless it succeeds. */
  call(method: string, path: string, body: object): Promise<{ id: string }>;
  /** A browser with nothing in its cache, in which the user is signed in. */
  visitor(): Promise<BrowserContext>;
  /** What it is measured on. */
  machine(): string;
  stop(): Promise<void>;
}

/** The built console with these services behind the gateway, as processes of their own, and a user with a workspace. */
export async function startConsoleStand(only: ServiceName[]): Promise<ConsoleStand> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-'));
  const root = findRepositoryRoot();
  await buildConsole({ root, log: console.error });
  const stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined, env: {} });
  const port = await freePort();
  const services = await startServices({
    root,
    port,
    stores,
    secrets: await readSecrets(directory),
    logDirectory: directory,
    only,
    env: { LIMIT_SCALE: '1000000' },
  });
  const url = `http://localhost:${port}`;
  const browser = await chromium.launch({
    executablePath: findChromium(process.env)!,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const user = { email: 'bench@example.com', password: 'a password of the bench', name: 'Bench' };
  const signedUp = await httpCall(url, 'POST', '/v1/auth/sign-up', { body: user });
  const cookie = signedUp.cookies[0]!.split(';')[0]!;
  return {
    url,
    mongoUrl: stores.mongoUrl,
    workspaceId: signedUp.body.workspaces[0].id,
    async call(method, path, body) {
      const answer = await httpCall(url, method, `/v1${path}`, { body, headers: { cookie } });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    async visitor() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
      return context;
    },
    machine: () => `${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}`,
    async stop() {
      await browser.close();
      await services.stop();
      await stores.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
