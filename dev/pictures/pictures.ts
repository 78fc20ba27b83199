import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { answer, eventually, startWebhookReceiver } from '@waymark/testing';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../tests/e2e/support/launch-browser.ts';
import { type Call, callApi, callsOf } from '../api.ts';
import { buildPages } from '../build-pages.ts';
import { type Demo, ensureDemo } from '../demo/demo-workspace.ts';
import { startTemporaryProduct } from '../temporary-product.ts';
import { afterAnHour, afterTwoDays, LIMIT_SCALE } from './picture-traffic.ts';

/** `npm run pictures [folder]`: takes the pictures of the console with a new demo workspace. */
const root = findRepositoryRoot();
const folder = process.argv[2] ?? join(root, 'docs/pictures');
const QUALITY = 82;
/** The deliveries that the receiver refuses. */
const REFUSED = [2, 6];

interface Picture {
  name: string;
  path: string;
  /** Text that the complete page shows. */
  shows: string;
  width?: number;
  height?: number;
  /** Actions on the page before the picture. */
  before?: (page: Page) => Promise<void>;
}

/** The filters and the names of authors come after the rows. */
const allNames = async (page: Page) => {
  await page.getByRole('search').first().waitFor();
  await page.locator('td', { hasText: 'Mira Castellanos' }).first().waitFor();
};

const pictures = (demo: Demo, ids: Record<'workflow' | 'webhook' | 'decision', string>): Picture[] => {
  const at = (path: string) => `/w/${demo.workspace_id}/${path}`;
  const small = { width: 360, height: 740 };
  return [
    { name: 'decisions', path: at('decisions'), shows: 'h1', before: allNames },
    {
      name: 'board',
      path: at('decisions?board=true'),
      shows: '.board li',
      before: (page) => page.locator('.board li', { hasText: 'Mira Castellanos' }).first().waitFor(),
    },
    { name: 'decision', path: at(`decisions/${ids.decision}`), shows: 'h1', height: 1100 },
    {
      name: 'workflow',
      path: at(`workflows/${ids.workflow}`),
      shows: '.react-flow__node',
      before: (page) => page.getByText('Live', { exact: true }).waitFor(),
    },
    {
      name: 'workflow-thread',
      path: at(`workflows/${ids.workflow}`),
      shows: '.react-flow__node',
      before: async (page) => {
        await goTo(page, 'Build the indexer');
        await page.getByRole('tab', { name: 'Discussion' }).click();
        await page.locator('strong', { hasText: 'items/s' }).waitFor();
      },
    },
    { name: 'webhook', path: at(`webhooks/${ids.webhook}`), shows: '[role=img]', height: 1100 },
    {
      name: 'audit-log',
      path: at('audit'),
      shows: 'h1',
      height: 1000,
      before: (page) =>
        page
          .getByRole('row', { name: 'decision.update' })
          .getByRole('button', { name: /^Details of entry/ })
          .first()
          .click(),
    },
    { name: 'insight', path: at('insight'), shows: 'h1', height: 1260 },
    { name: 'transfer', path: at('transfer'), shows: 'h1', height: 680 },
    { name: 'csv-import', path: at('transfer'), shows: 'h1', height: 1040, before: checkTable },
    { name: 'members', path: at('settings/members'), shows: 'h1', height: 560 },
    { name: 'api-keys', path: at('settings/api-keys'), shows: 'h1', height: 560 },
    {
      name: 'limits',
      path: at('settings/limits'),
      shows: 'h1',
      height: 760,
      before: async (page) => {
        await page.getByLabel('One key').selectOption({ index: 1 });
        await page.getByRole('cell', { name: 'Reads: this key' }).waitFor();
      },
    },
    { name: 'decisions-small', path: at('decisions'), shows: 'h1', ...small, before: allNames },
    {
      name: 'workflow-small',
      path: at(`workflows/${ids.workflow}`),
      shows: '.react-flow__node',
      ...small,
      before: async (page) => {
        await goTo(page, 'Build the indexer');
        await page.getByRole('button', { name: 'Close the panel' }).click();
      },
    },
    { name: 'decision-small', path: at(`decisions/${ids.decision}`), shows: 'h1', ...small },
    {
      name: 'webhook-small',
      path: at(`webhooks/${ids.webhook}`),
      shows: '[role=img]',
      ...small,
      before: (page) => page.getByRole('heading', { name: 'Deliveries' }).scrollIntoViewIfNeeded(),
    },
    { name: 'insight-small', path: at('insight'), shows: 'h1', ...small },
  ];
};

/** A table with a column that its heading does not tell, checked. */
const TABLE = `Title;Status;Tags;Deadline;Cost
Move the office to the river;accepted;office, people;31.12.2026;40000
Buy a second label printer;proposed;office;31.01.2027;900
`;
async function checkTable(page: Page): Promise<void> {
  const file = { name: 'decisions.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByLabel('Deadline, becomes').selectOption('Outcome expected by');
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByText('The file can be imported').waitFor();
}

await mkdir(folder, { recursive: true });
await buildPages({ root, log: console.error });
const product = await startTemporaryProduct({ env: { LIMIT_SCALE: String(LIMIT_SCALE) } });
const { directory, services } = product;
const receiver = await startWebhookReceiver();
const browser = await launchBrowser();

try {
  const demo = await ensureDemo({ directory, baseUrl: services.baseUrl });
  const cookie = await signIn(demo);
  const call = callsOf(demo.base_url, { cookie });
  await createKeys(demo, call);
  const ids = await prepare(demo, call);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const picture of pictures(demo, ids)) await take(browser, demo, cookie, picture, colorScheme);
  }
} finally {
  await browser.close();
  await receiver.stop();
  await product.stop();
}

async function signIn({ base_url, email, password }: Demo): Promise<string> {
  const body = { email, password };
  const { cookie } = await callApi(`${base_url}/auth/sign-in`, { method: 'POST', body });
  return cookie!;
}

/** Enables the demo's webhook with some failing deliveries and returns the records in the pictures. */
async function prepare(demo: Demo, call: Call) {
  const newest = async (list: 'workflows' | 'webhooks' | 'decisions') => {
    const found = await call<Record<string, unknown>>('GET', `/${list}?workspaceId=${demo.workspace_id}`);
    const [first] = Object.values(found).find(Array.isArray) as { id: string }[];
    return first!.id;
  };
  const ids = {
    workflow: await newest('workflows'),
    webhook: await newest('webhooks'),
    decision: await newest('decisions'),
  };
  await call('PATCH', `/webhooks/${ids.webhook}`, {
    url: `${receiver.url}/waymark`,
    description: 'Tells the release desk what is decided and done',
    events: ['decision.created', 'decision.updated', 'node.updated'],
    enabled: true,
  });
  const { nodes } = await call<{ nodes: { id: string; data: object }[] }>(
    'GET',
    `/workflows/${ids.workflow}/graph`,
  );
  const acts: (() => Promise<unknown>)[] = [
    () => call('POST', `/webhooks/${ids.webhook}/test`, {}),
    ...nodes.slice(0, 7).map(({ id, data }) => {
      return () => call('PATCH', `/nodes/${id}`, { data: { ...data, reviewed: true } });
    }),
    // Creates the newest audit entry, with a change to show.
    () =>
      call('PATCH', `/decisions/${ids.decision}?workspaceId=${demo.workspace_id}`, {
        decidedBy: 'Platform team and Mira',
        tags: ['infrastructure', 'events', 'durability'],
      }),
  ];
  for (const [nth, act] of acts.entries()) {
    receiver.behave(
      REFUSED.includes(nth) ? answer(400, { body: 'the field amount is missing' }) : answer(200),
    );
    await act();
    await eventually(() => receiver.requests.length > nth);
  }
  return ids;
}

/** Creates API keys: a read key, and one that is being rotated. */
async function createKeys(demo: Demo, call: Call): Promise<void> {
  const create = (path: string, body: object) => call<{ id: string }>('POST', `/api-keys${path}`, body);
  const of = { workspaceId: demo.workspace_id };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const allowedIps = ['203.0.113.0/24'];
  await create('', { ...of, name: 'Nightly report', scopes: ['read'], expiresAt: inDays(90), allowedIps });
  const desk = { name: 'Release desk', scopes: ['read', 'write'], expiresAt: inDays(365) };
  const { id } = await create('', { ...of, ...desk });
  await create(`/${id}/rotate`, { overlapSeconds: 86_400 });
}

async function take(
  from: Browser,
  demo: Demo,
  cookie: string,
  { name, path, shows, width = 1280, height = 800, before }: Picture,
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
  await withTraffic(page);
  await page.goto(origin + path);
  await page.locator(`main ${shows}`).first().waitFor();
  // The event stream keeps the network busy, so wait for the page's loading state instead.
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  await before?.(page);
  const devtools = await context.newCDPSession(page);
  await page.evaluate('document.fonts.ready');
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  });
  const file = join(folder, `${name}-${colorScheme}.webp`);
  await writeFile(file, Buffer.from(data, 'base64'));
  await context.close();
}

async function withTraffic(page: Page): Promise<void> {
  await page.route('**/v1/webhooks/*include=stats*', async (route) => {
    const response = await route.fetch();
    const webhook = await response.json();
    const stats = afterTwoDays(webhook.included.stats);
    await route.fulfill({ response, json: { ...webhook, included: { stats } } });
  });
  await page.route('**/v1/rate-limits?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: afterAnHour(await response.json()) });
  });
}

/** Zooms to a node of the canvas, as its search does. */
async function goTo(page: Page, title: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Go to a node' }).fill(title);
  await page.getByRole('option', { name: title }).click();
  await page.getByText('Live', { exact: true }).waitFor();
}
