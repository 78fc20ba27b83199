import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { answer, startWebhookReceiver } from '@waymark/testing';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../tests/e2e/find-chromium.ts';
import { callApi } from './api.ts';
import { buildConsole } from './console.ts';
import { demoPeople } from './demo-people.ts';
import { type Demo, ensureDemo } from './demo-workspace.ts';
import { startTemporaryProduct } from './temporary-product.ts';

/** `npm run pictures [folder] [webp|png]`: takes the pictures of the console, of a demo workspace of its own. */
const root = findRepositoryRoot();
const folder = process.argv[2] ?? join(root, 'docs/pictures');
const format = process.argv[3] === 'png' ? 'png' : 'webp';
const QUALITY = 82;
const SHOWN_DELIVERIES = 8;

interface Picture {
  name: string;
  path: string;
  /** What the page shows once it is complete. */
  shows: string;
  width?: number;
  height?: number;
  /** A button to press before. */
  open?: string;
}

const pictures = (demo: Demo, ids: Record<'workflow' | 'webhook' | 'decision', string>): Picture[] => {
  const at = (path: string) => `/w/${demo.workspace_id}/${path}`;
  const small = { width: 360, height: 740 };
  return [
    { name: 'decisions', path: at('decisions'), shows: 'h1' },
    { name: 'decision', path: at(`decisions/${ids.decision}`), shows: 'h1', height: 1100 },
    { name: 'workflow', path: at(`workflows/${ids.workflow}`), shows: '.react-flow__node' },
    { name: 'webhook', path: at(`webhooks/${ids.webhook}`), shows: 'h1', height: 1100 },
    {
      name: 'audit-log',
      path: at('audit'),
      shows: 'h1',
      height: 1000,
      open: 'button[aria-label^="Details of entry"]',
    },
    { name: 'insight', path: at('insight'), shows: 'h1', height: 1100 },
    { name: 'transfer', path: at('transfer'), shows: 'h1' },
    { name: 'members', path: at('settings/members'), shows: 'h1' },
    { name: 'api-keys', path: at('settings/api-keys'), shows: 'h1' },
    { name: 'limits', path: at('settings/limits'), shows: 'h1', height: 1000 },
    { name: 'decisions-small', path: at('decisions'), shows: 'h1', ...small },
    { name: 'workflow-small', path: at(`workflows/${ids.workflow}`), shows: '.react-flow__node', ...small },
    { name: 'decision-small', path: at(`decisions/${ids.decision}`), shows: 'h1', ...small },
    { name: 'webhook-small', path: at(`webhooks/${ids.webhook}`), shows: 'h1', ...small },
    { name: 'insight-small', path: at('insight'), shows: 'h1', ...small },
  ];
};

await mkdir(folder, { recursive: true });
await buildConsole({ root, log: console.error });
const product = await startTemporaryProduct();
const { directory, services } = product;
const receiver = await startWebhookReceiver();
const browser = await chromium.launch({
  executablePath: findChromium(process.env)!,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

try {
  const demo = await ensureDemo({ directory, baseUrl: services.baseUrl });
  const cookie = await signIn(demo, demo.email);
  // By another person: the owner has just made the demo, and is near a rate limit.
  const ids = await prepare(demo, await signIn(demo, demoPeople[0].email));
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const picture of pictures(demo, ids)) await take(browser, demo, cookie, picture, colorScheme);
  }
} finally {
  await browser.close();
  await receiver.stop();
  await product.stop();
}

async function signIn({ base_url, password }: Demo, email: string): Promise<string> {
  const body = { email, password };
  const { cookie } = await callApi(`${base_url}/auth/sign-in`, { method: 'POST', body });
  return cookie!;
}

/** Lets the demo's webhook deliver, with a failure among what it delivers, and finds what is in the pictures. */
async function prepare(demo: Demo, cookie: string) {
  const headers = { cookie };
  const newest = async (list: 'workflows' | 'webhooks' | 'decisions') => {
    const url = `${demo.base_url}/${list}?workspaceId=${demo.workspace_id}`;
    const { body } = await callApi<Record<string, unknown>>(url, { headers });
    const [first] = Object.values(body).find(Array.isArray) as { id: string }[];
    return first!.id;
  };
  const ids = {
    workflow: await newest('workflows'),
    webhook: await newest('webhooks'),
    decision: await newest('decisions'),
  };
  const url = `${demo.base_url}/webhooks/${ids.webhook}`;
  await callApi(url, { method: 'PATCH', headers, body: { url: receiver.url, enabled: true } });
  for (let sent = 0; sent < SHOWN_DELIVERIES; sent += 1) {
    receiver.behave(sent % 4 === 3 ? answer(400, { body: 'the field amount is missing' }) : answer(200));
    const arrived = receiver.requests.length;
    await callApi(`${url}/test`, { method: 'POST', headers, body: {} });
    while (receiver.requests.length === arrived) await new Promise(setImmediate);
  }
  // The newest entry of the audit log, with a change to show.
  await callApi(`${demo.base_url}/decisions/${ids.decision}?workspaceId=${demo.workspace_id}`, {
    method: 'PATCH',
    headers,
    body: { decidedBy: 'Platform team and Mira', tags: ['infrastructure', 'events', 'durability'] },
  });
  return ids;
}

async function take(
  from: Browser,
  demo: Demo,
  cookie: string,
  { name, path, shows, width = 1280, height = 800, open }: Picture,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const origin = new URL(demo.base_url).origin;
  const context = await from.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const [key = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name: key, value, url: origin }]);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(origin + path);
  await page.locator(`main ${shows}`).first().waitFor();
  // Live changes keep a connection open, so the network never rests; the page says when it still loads.
  await page.locator('main .mantine-Loader-root').first().waitFor({ state: 'detached' });
  if (open) await page.locator(open).first().click();
  const devtools = await context.newCDPSession(page);
  await page.evaluate('document.fonts.ready');
  const { data } = await devtools.send('Page.captureScreenshot', {
    format,
    ...(format === 'webp' && { quality: QUALITY }),
  });
  const file = join(folder, `${name}-${colorScheme}.${format}`);
  await writeFile(file, Buffer.from(data, 'base64'));
  await context.close();
}
