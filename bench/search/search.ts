import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH, internalHeaders } from '@waymark/contracts';
import { eventually, httpCall, keyPrincipal, testIdentity } from '@waymark/testing';
import { machine, printHead, printRow } from '../support/table.ts';
import { fillStores, ITEM_CHARACTERS } from './fill.ts';
import { type Ask, type Figures, measure, warmUp } from './measure.ts';
import { startSearchStand } from './servers.ts';

/**
 * `npm run bench:search [items] [directory]`: compares warm searches of a workspace of 250-character
 * decisions with PostgreSQL's pg_trgm (apt-get install postgresql) behind the same HTTP service. With a
 * directory, the first run fills the stores and ends; later runs measure.
 */
const count = Number(process.argv[2] ?? 100_000);
const directory = process.argv[3];
const SCAN_EVERY_MS = 100;
const INDEXED_WITHIN_MS = 3_600_000;
const say = (line: string) =>
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}`);

const stand = await startSearchStand(directory);
const { service, postgres } = stand;
if (!postgres) say('PostgreSQL is not installed: its figures are left out');
const filledFile = join(stand.directory, `filled-${count}.json`);
const isFresh = !existsSync(filledFile);
if (isFresh) await writeFile(filledFile, JSON.stringify(await fillStores(stand, count)));
const { workspaceId, classes } = JSON.parse(await readFile(filledFile, 'utf8')) as Awaited<
  ReturnType<typeof fillStores>
>;
say('the stores are filled');

const agent = new http.Agent({ keepAlive: true });
const identity = testIdentity();
const principal = keyPrincipal({ workspace_id: workspaceId });

const askAt = (url: string) => async (q: string) => {
  const answer = await httpCall(url + BASE_PATH, 'GET', '/search', {
    agent,
    query: { workspaceId, q },
    headers: { [internalHeaders.identity]: await identity.sign(principal, 'search') },
  });
  if (answer.status !== 200) throw new Error(`search answered ${answer.status}: ${answer.text}`);
  return answer.body.decisions.map(({ id }: { id: string }) => id) as string[];
};

/** Searches until the index answers; about ten searches per second scan meanwhile. */
async function buildIndex(): Promise<void> {
  await eventually(async () => {
    await askAt(service.url)('e');
    await sleep(SCAN_EVERY_MS);
    return (await stand.metric('waymark_search_answers_total{source="index"')) > 0;
  }, INDEXED_WITHIN_MS);
}

async function measureAll(): Promise<void> {
  await buildIndex();
  say('the index is built');
  const asks: Ask[] = [{ name: 'service', ask: askAt(service.url) }];
  if (postgres) {
    const env = { POSTGRES_SOCKET: postgres.socket };
    const peer = await stand.startService('search-peer', 'bench/search/peer.ts', env);
    asks.push({ name: 'the same service on pg_trgm', ask: askAt(peer.url) });
  }
  const rows: { name: string; figures: Figures[] }[] = [];
  for (const { name, queries } of classes) {
    await warmUp(queries, asks);
    const figures = await measure(queries, asks);
    rows.push({ name, figures });
    const hits = new Set(figures.map((of) => of.hits));
    if (hits.size > 1) throw new Error(`${name}: they do not find the same: ${[...hits].join(' and ')} hits`);
    say(`${name}: ${figures.map(({ p50, p99 }) => `${p50.toFixed(2)}/${p99.toFixed(2)}`).join(', ')}`);
  }
  const names = asks.map(({ name }) => name);
  console.log(`\n${count.toLocaleString('en')} items of ${ITEM_CHARACTERS} characters, ${machine()}\n`);
  printHead(['warm, one at a time, ms', ...names.flatMap((name) => [`${name}: p50`, 'p99', 'max'])]);
  for (const { name, figures } of rows) {
    const cells = figures.flatMap(({ p50, p99, max }) => [p50, p99, max]);
    printRow([name, ...cells.map((ms) => ms.toFixed(2))]);
  }
}

try {
  if (directory && isFresh) console.log(`${count} items lie in ${directory}; run it again to measure`);
  else await measureAll();
} finally {
  agent.destroy();
  await stand.stop();
}
process.exit();
