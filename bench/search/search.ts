import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH, internalHeaders, newId } from '@waymark/contracts';
import { eventually, httpCall, keyPrincipal, testIdentity } from '@waymark/testing';
import { fold } from '../../services/search/src/text/fold.ts';
import { connectPostgres, type PostgresConnection } from '../support/postgres.ts';
import { machine, printHead, printRow } from '../support/table.ts';
import { makeTexts } from '../support/texts.ts';
import { fillStores, perSecond } from './fill.ts';
import { eventOf, ITEM_CHARACTERS, searchItems } from './items.ts';
import { type Ask, type Figures, measure, warmUp } from './measure.ts';
import { type QueryClass, queryClasses } from './queries.ts';
import { startSearchStand } from './servers.ts';

/**
 * `npm run bench:search [items] [directory]`: compares warm searches of a workspace of 250-character
 * decisions with PostgreSQL's pg_trgm (apt-get install postgresql), called directly and through the same
 * HTTP service. It also measures the indexing rate and the delay of search at 500 events per second. With a
 * directory, the first run fills the stores and ends; later runs measure.
 */
const count = Number(process.argv[2] ?? 100_000);
const directory = process.argv[3];
const LIMIT = 20;
const LAG_MS = 10_000;
const SCAN_EVERY_MS = 100;
const QUERY = `SELECT id, title, status, description FROM items
  WHERE workspace_id = $1 AND folded LIKE $2 ORDER BY position DESC LIMIT $3::int`;
const say = (line: string) =>
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}`);

/** Results of the first run, stored for later runs. */
interface Filled {
  workspaceId: string;
  classes: QueryClass[];
  facts: string[];
}

const stand = await startSearchStand(directory);
const { service, postgres } = stand;
if (!postgres) say('PostgreSQL is not installed: its figures are left out');
const filledFile = join(stand.directory, `filled-${count}.json`);

async function fill(): Promise<void> {
  const workspaceId = newId();
  const items = searchItems(count);
  say('the items are made up');
  const facts = await fillStores(stand, workspaceId, items);
  say(facts.join('; '));
  const classes = queryClasses(items.corpus, items.texts);
  await writeFile(filledFile, JSON.stringify({ workspaceId, classes, facts } satisfies Filled));
}

const isFresh = !existsSync(filledFile);
if (isFresh) await fill();
const { workspaceId, classes, facts } = JSON.parse(await readFile(filledFile, 'utf8')) as Filled;

const agent = new http.Agent({ keepAlive: true });
const identity = testIdentity();
const principal = keyPrincipal();

async function search(url: string, q: string, workspace = workspaceId): Promise<string[]> {
  const token = await identity.sign(keyPrincipal({ ...principal, workspace_id: workspace }), 'search');
  const answer = await httpCall(url + BASE_PATH, 'GET', '/search', {
    agent,
    query: { workspaceId: workspace, q },
    headers: { [internalHeaders.identity]: token },
  });
  if (answer.status !== 200) throw new Error(`search answered ${answer.status}: ${answer.text}`);
  return answer.body.decisions.map(({ id }: { id: string }) => id);
}

/**
 * Returns the seconds from the first search until the index answers one; about ten searches per second scan
 * meanwhile.
 */
async function buildIndex(): Promise<number> {
  const startedAt = performance.now();
  const byIndex = 'waymark_search_answers_total{source="index"';
  await eventually(async () => {
    await search(service.url, 'e');
    await sleep(SCAN_EVERY_MS);
    return (await stand.metric(byIndex)) > 0;
  }, 3_600_000);
  return (performance.now() - startedAt) / 1000;
}

/**
 * Returns the longest time from a publication until a search finds it, at 500 events per second for ten
 * seconds.
 */
async function longestLagMs(): Promise<number> {
  const other = newId();
  const { text } = makeTexts(2);
  const publish = (id: string, words: string) => stand.publish(eventOf(other, id, words, Date.now()));
  const lags: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const crowd = (async () => {
    while (performance.now() - startedAt < LAG_MS) {
      const due = Math.floor((performance.now() - startedAt) / 2);
      const portion = Array.from({ length: due - sent }, () => text(ITEM_CHARACTERS));
      sent = due;
      await Promise.all(portion.map((words) => publish(newId(), words)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  while (performance.now() - startedAt < LAG_MS) {
    const id = newId();
    await publish(id, `marker ${id}`);
    const publishedAt = performance.now();
    await eventually(async () => (await search(service.url, id, other)).length > 0, 60_000);
    lags.push(performance.now() - publishedAt);
  }
  await crowd;
  return Math.max(...lags);
}

async function peers(connection: PostgresConnection, socket: string): Promise<Ask[]> {
  const env = { POSTGRES_SOCKET: socket, POSTGRES_QUERY: QUERY };
  const peer = await stand.startService('search-peer', 'bench/search/peer.ts', env);
  await connection.prepare('search', QUERY);
  const askAlone = async (q: string) => {
    const pattern = `%${fold(q).replace(/[\\%_]/g, '\\$&')}%`;
    return (await connection.execute('search', [workspaceId, pattern, String(LIMIT)])).map(([id]) => id!);
  };
  return [
    { name: 'the same service on pg_trgm', ask: (q) => search(peer.url, q) },
    { name: 'pg_trgm alone', ask: askAlone },
  ];
}

async function measureAll(): Promise<void> {
  const connection = postgres && (await connectPostgres(postgres.socket));
  facts.push(`projection to index, from the first search on: ${perSecond(count, await buildIndex())}`);
  say(facts.at(-1)!);
  const indexBytes = await stand.metric('waymark_search_index_bytes');
  facts.push(`index: ${Math.round(indexBytes / 2 ** 20)} MiB of temporary file`);
  const asks: Ask[] = [{ name: 'service', ask: (q) => search(service.url, q) }];
  if (connection) asks.push(...(await peers(connection, postgres.socket)));
  const rows: { name: string; figures: Figures[] }[] = [];
  for (const { name, queries } of classes) {
    await warmUp(queries, asks);
    const figures = await measure(queries, asks);
    rows.push({ name, figures });
    const hits = new Set(figures.map((of) => of.hits));
    if (hits.size > 1) throw new Error(`${name}: they do not find the same: ${[...hits].join(' and ')} hits`);
    say(`${name}: ${figures.map(({ p50, p99 }) => `${p50.toFixed(2)}/${p99.toFixed(2)}`).join(', ')}`);
  }
  connection?.close();
  const lagMs = Math.round(await longestLagMs());
  facts.push(`longest until a search finds what was published, at 500 events/s: ${lagMs} ms`);
  const resident = await stand.metric('process_resident_memory_bytes');
  facts.push(`resident memory of the service: ${Math.round(resident / 2 ** 20)} MiB`);

  const names = asks.map(({ name }) => name);
  console.log(`\n${count.toLocaleString('en')} items of ${ITEM_CHARACTERS} characters, ${machine()}\n`);
  printHead(['warm, one at a time, ms', ...names.flatMap((name) => [`${name}: p50`, 'p99', 'max'])]);
  for (const { name, figures } of rows) {
    const cells = figures.flatMap(({ p50, p99, max }) => [p50, p99, max]);
    printRow([name, ...cells.map((ms) => ms.toFixed(2))]);
  }
  console.log(`\n${facts.map((fact) => `- ${fact}`).join('\n')}`);
}

try {
  if (directory && isFresh) console.log(`${count} items lie in ${directory}; run it again to measure`);
  else await measureAll();
} finally {
  agent.destroy();
  await stand.stop();
}
process.exit();
