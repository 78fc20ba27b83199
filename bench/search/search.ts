import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startProcess } from '@waymark/local-stack';
import { eventually, keyPrincipal } from '@waymark/testing';
import { secretsFor } from '../../dev/secrets.ts';
import { NODE_ARGS } from '../../dev/services.ts';
import { startBench } from '../support/bench.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { machine, printHead, printRow } from '../support/table.ts';
import { fillStores, ITEM_CHARACTERS } from './fill.ts';
import { type Ask, type Figures, measure, warmUp } from './measure.ts';

/**
 * `npm run bench:search [items]`: compares warm searches of a workspace of 250-character decisions with
 * PostgreSQL's pg_trgm (apt-get install postgresql) behind the same HTTP service.
 */
const count = Number(process.argv[2] ?? 100_000);
const SCAN_EVERY_MS = 100;
const INDEXED_WITHIN_MS = 3_600_000;
const say = (line: string) =>
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}`);

const bench = await startBench({ only: ['search'], env: { LOG_LEVEL: 'warn' } });
const service = bench.processOf('search');
const postgres = await startPostgres(bench.directory);
if (!postgres) say('PostgreSQL is not installed: its figures are left out');
const { workspaceId, classes } = await fillStores(bench.mongo, postgres, count);
say('the stores are filled');

const principal = keyPrincipal({ workspace_id: workspaceId });

const askAt = (url: string) => async (q: string) => {
  const headers = await bench.headersFor(principal, 'search');
  const input = { at: url + BASE_PATH, query: { workspaceId, q }, headers };
  const { decisions } = await bench.call('GET', '/search', input);
  return decisions.map(({ id }: { id: string }) => id) as string[];
};

/** Starts the service of the peer on PostgreSQL. */
async function startPeer({ socket }: Postgres) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: '0', POSTGRES_SOCKET: socket };
  const started = await startProcess({
    name: 'search-peer',
    command: process.execPath,
    args: [...NODE_ARGS, join(findRepositoryRoot(), 'bench/search/peer.ts')],
    env: { ...secretsFor('search', bench.secrets), ...own },
    isReady: () => fetch(url).then(Boolean, () => false),
  });
  return { url, stop: started.stop };
}

/** Searches until the index answers; about ten searches per second scan meanwhile. */
async function buildIndex(): Promise<void> {
  await eventually(async () => {
    await askAt(service.url)('e');
    await sleep(SCAN_EVERY_MS);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return /^waymark_search_answers_total\{source="index".* [1-9]/m.test(metrics);
  }, INDEXED_WITHIN_MS);
}

async function measureAll(): Promise<void> {
  await buildIndex();
  say('the index is built');
  const peer = postgres && (await startPeer(postgres));
  const asks: Ask[] = [
    { name: 'service', ask: askAt(service.url) },
    ...(peer ? [{ name: 'the same service on pg_trgm', ask: askAt(peer.url) }] : []),
  ];
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
  await peer?.stop();
}

try {
  await measureAll();
} finally {
  await postgres?.process.stop();
  await bench.stop();
}
process.exit();
