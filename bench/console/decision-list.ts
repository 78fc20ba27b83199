/// <reference lib="dom" />
import { newId } from '@waymark/contracts';
import type { Document } from 'mongodb';
import type { Page } from 'playwright-core';
import { quantile } from '../support/quantile.ts';
import { machine } from '../support/table.ts';
import { startConsoleStand } from './console-server.ts';

/**
 * `npm run bench:decision-list [decisions] [rounds]`: measures how long a browser with an empty cache takes,
 * at 50 kB/s and 400 ms, from the address to the rows of a workspace's decision list. The decisions are
 * inserted directly into MongoDB.
 */
const DECISIONS = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 7);
const ROWS_AT_ONCE = 2_000;
const ROWS = 'table[aria-label="Decisions"] tbody tr';

const stand = await startConsoleStand(['accounts', 'decisions']);
try {
  const { workspaceId, url } = stand;
  await stand.call('POST', '/decisions', { body: { title: 'The model of all others', tags: ['bench'] } });
  await seed(workspaceId);
  const list = `${url}/w/${workspaceId}/decisions`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const visitor = await stand.visitor();
    const page = await visitor.newPage();
    await throttle(page);
    const startedAt = performance.now();
    await open(page, list);
    times.push(performance.now() - startedAt);
    await visitor.close();
  }
  const [least, median, most] = [0, 0.5, 1].map((share) => Math.round(quantile(times, share)));
  console.log(`${DECISIONS} decisions, ${ROUNDS} rounds, ${machine()}`);
  console.log(`ms until the rows stand: least ${least}, median ${median}, most ${most}`);
} finally {
  await stand.stop();
}

/** Gives the page the connection of a phone at the edge of its network. */
async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const throughput = { downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 400, ...throughput });
}

/** When the last row of the first page is visible, all rows are. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(ROWS).nth(24).waitFor();
}

async function seed(workspaceId: string): Promise<void> {
  const decisions = stand.mongo.db('waymark_decisions').collection<Document & { _id: string }>('decisions');
  const model = await decisions.findOne({ workspace_id: workspaceId });
  for (let made = 1; made < DECISIONS; made += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, DECISIONS - made) }, (_, i) => ({
      ...model!,
      _id: newId(),
      title: `Decision ${(made + i) * 7919} of the bench`,
      created_at: new Date(Date.now() - (made + i) * 60_000).toISOString(),
    }));
    await decisions.insertMany(rows, { ordered: false, writeConcern: { w: 1 } });
  }
}
