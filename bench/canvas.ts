/// <reference lib="dom" />
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startStores } from '@waymark/local-stack';
import { httpCall } from '@waymark/testing';
import { chromium } from 'playwright-core';
import { buildConsole } from '../dev/console.ts';
import { readSecrets } from '../dev/secrets.ts';
import { startServices } from '../dev/services.ts';
import { findChromium } from '../tests/e2e/find-chromium.ts';

/** `npm run bench:canvas [nodes]`: the frames that a browser without a graphics card shows while a large workflow is panned. */
const NODES = Number(process.argv[2] ?? 2_000);
const COLUMNS = 50;
const STEPS = 120;
const VIEWS = { 'as opened': null, 'all in view': 'Fit View', closer: 'Zoom In' };

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
  only: ['accounts', 'workflows'],
  env: { LIMIT_SCALE: '1000000' },
});
const url = `http://localhost:${port}`;
const browser = await chromium.launch({
  executablePath: findChromium(process.env)!,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

try {
  const user = { email: 'bench@example.com', password: 'a password of the bench', name: 'Bench' };
  const signedUp = await httpCall(url, 'POST', '/v1/auth/sign-up', { body: user });
  const workspaceId = signedUp.body.workspaces[0].id;
  const cookie = signedUp.cookies[0]!.split(';')[0]!;
  const call = async (method: string, path: string, body: object) => {
    const answer = await httpCall(url, method, `/v1${path}`, { body, headers: { cookie } });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { id } = await call('POST', '/workflows', { workspaceId, title: 'Large' });
  const nodes = Array.from({ length: NODES }, (_, i) => ({
    id: newId(),
    type: 'task',
    title: `Node ${i}`,
    positionX: (i % COLUMNS) * 280,
    positionY: Math.floor(i / COLUMNS) * 120,
  }));
  const edges = nodes.slice(1).map((node, i) => ({ sourceId: nodes[i]!.id, targetId: node.id }));
  await call('PUT', `/workflows/${id}/graph`, { nodes, edges });

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/w/${workspaceId}/workflows/${id}`);
  await page.locator('.react-flow__node').first().waitFor({ timeout: 60_000 });

  const results: Record<string, unknown>[] = [];
  for (const [view, button] of Object.entries(VIEWS)) {
    if (button) await page.getByRole('button', { name: button }).click();
    results.push({ view, drawn: await page.locator('.react-flow__node').count(), ...(await pan()) });
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}`;
  console.log(`${NODES} nodes, ${edges.length} edges; ${machine}`);
  console.table(results);

  /** Drags the empty canvas in a circle and counts what the browser shows meanwhile. */
  async function pan() {
    await page.evaluate(() => {
      const frames: number[] = [];
      Object.assign(window, { frames });
      const note = (at: number) => {
        frames.push(at);
        requestAnimationFrame(note);
      };
      requestAnimationFrame(note);
    });
    // With the space bar held, dragging pans wherever it begins.
    await page.keyboard.down('Space');
    await page.mouse.move(700, 400);
    await page.mouse.down();
    for (let step = 0; step < STEPS; step += 1) {
      const angle = (step / STEPS) * 2 * Math.PI;
      await page.mouse.move(700 + 200 * Math.sin(angle), 400 + 150 * (1 - Math.cos(angle)) * 0.5);
    }
    await page.mouse.up();
    await page.keyboard.up('Space');
    const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames);
    const gaps = frames
      .slice(1)
      .map((at, i) => at - frames[i]!)
      .sort((a, b) => a - b);
    const at = (part: number) => Math.round(gaps[Math.floor(gaps.length * part)] ?? 0);
    const perSecond = (1_000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
    return {
      'frames/s': Math.round(perSecond),
      'median ms': at(0.5),
      'p95 ms': at(0.95),
      frames: gaps.length,
    };
  }
} finally {
  await browser.close();
  await services.stop();
  await stores.stop();
  await rm(directory, { recursive: true, force: true });
}
