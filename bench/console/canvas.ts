/// <reference lib="dom" />
import { newId } from '@waymark/contracts';
import { machine } from '../support/table.ts';
import { startConsoleStand } from './console-server.ts';

/**
 * `npm run bench:canvas [nodes]`: counts the frames that a browser without a graphics card shows while a
 * large workflow is panned.
 */
const NODES = Number(process.argv[2] ?? 2_000);
const COLUMNS = 50;
const STEPS = 120;
/** The button presses before each measurement. Each press of Zoom In enlarges the canvas by a fifth. */
const VIEWS: [view: string, button: string, presses: number][] = [
  ['as opened', 'Fit View', 0],
  ['all in view', 'Fit View', 1],
  ['closer', 'Zoom In', 2],
  ['as near as words are shown', 'Zoom In', 7],
  ['near', 'Zoom In', 4],
];

const stand = await startConsoleStand(['accounts', 'workflows']);
try {
  const { workspaceId } = stand;
  const { id } = await stand.call('POST', '/workflows', { workspaceId, title: 'Large' });
  const nodes = Array.from({ length: NODES }, (_, i) => ({
    id: newId(),
    type: 'task',
    title: `Node ${i}`,
    positionX: (i % COLUMNS) * 280,
    positionY: Math.floor(i / COLUMNS) * 120,
  }));
  const edges = nodes.slice(1).map((node, i) => ({ sourceId: nodes[i]!.id, targetId: node.id }));
  await stand.call('PUT', `/workflows/${id}/graph`, { nodes, edges });

  const page = await (await stand.visitor()).newPage();
  await page.goto(`${stand.url}/w/${workspaceId}/workflows/${id}`);
  await page.locator('.react-flow__node, .far-view').first().waitFor({ timeout: 60_000 });

  const results: Record<string, unknown>[] = [];
  for (const [view, button, presses] of VIEWS) {
    for (let pressed = 0; pressed < presses; pressed += 1) {
      await page.getByRole('button', { name: button }).click();
    }
    results.push({ view, cards: await page.locator('.react-flow__node').count(), ...(await pan()) });
  }
  console.log(`${NODES} nodes, ${edges.length} edges, ${machine()}`);
  console.table(results);

  /** Drags the empty canvas in a circle and counts the frames that the browser shows. */
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
    // With the space bar held, dragging pans from any point.
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
  await stand.stop();
}
