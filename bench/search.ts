import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { BASE_PATH, type EventEnvelope, eventStream, internalHeaders, newId } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startProcess, startStores } from '@waymark/local-stack';
import { identityTokens } from '@waymark/service-kit';
import { eventually, httpCall, keyPrincipal, sampleDecision } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { changesOf } from '../services/search/src/events.ts';
import { fold } from '../services/search/src/fold.ts';
import { planProjection } from '../services/search/src/plan.ts';
import type { ItemDocument, WorkspaceDocument } from '../services/search/src/store/items.ts';
import { connectPostgres, startPostgres } from './postgres.ts';
import { quantile } from './quantile.ts';
import { type QueryClass, queryClasses } from './search-queries.ts';
import { machine, printHead, printRow } from './table.ts';
import { makeTexts } from './texts.ts';

/**
 * `npm run bench:search [items]`: warm searches of a workspace of 250-character decisions through the service, beside
 * PostgreSQL's pg_trgm (apt-get install postgresql), asked by itself and through a service of the same build; how fast
 * either takes items in; how far behind a search is at 500 events a second.
 */
const count = Number(process.argv[2] ?? 100_000);
const CHARACTERS = 250;
const TITLE_CHARACTERS = 50;
/** Of a million items a query of the peer takes a tenth of a second: once has to do. */
const WARM_UP_PASSES = count > 200_000 ? 1 : 3;
/** Of each class: at least these passes; more until the figures rest on enough samples, or it takes too long. */
const PASSES_MIN = 2;
const SAMPLES = 1_000;
const CLASS_MS = 10_000;
const LIMIT = 20;
const INSERT_ROWS = 1_000;
/** So many items are taken in as they would be in service, and timed; more than those go where they belong at once. */
const INTAKE = Math.min(count, 20_000);
const INSERT_ITEMS = 5_000;
const PUBLISHED_AT_ONCE = 500;
const SECRET = 'identity-secret-for-the-bench-0123456789';
const say = (line: string) =>
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}`);

const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-'));
const root = findRepositoryRoot();
const stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined, env: {} });
const postgres = await startPostgres(directory);
if (!postgres) say('PostgreSQL is not installed: its figures are left out');

async function startService(name: string, file: string, env: Record<string, string>) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const shared = {
    MIGRATE_ON_START: 'true',
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    IDENTITY_SECRETS: SECRET,
  };
  const started = await startProcess({
    name,
    command: process.execPath,
    args: ['--conditions=x-source', '--disable-warning=ExperimentalWarning', join(root, file)],
    env: { ...shared, DRAIN_DELAY_MS: '0', MIGRATE_ON_START: 'true', LOG_LEVEL: 'warn', ...env },
    logFile: join(directory, `${name}.log`),
    isReady: () =>
      httpCall(`http://127.0.0.1:${port}`, 'GET', '/').then(
        () => true,
        () => false,
      ),
  });
  return { process: started, url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` };
}

const workspaceId = newId();
const agent = new http.Agent({ keepAlive: true });
const identity = identityTokens([SECRET]);

async function search(url: string, q: string, workspace = workspaceId): Promise<string[]> {
  const token =
    tokens.get(workspace) ?? (await identity.sign(keyPrincipal({ ...principal, workspace_id: workspace })));
  tokens.set(workspace, token);
  const answer = await httpCall(url + BASE_PATH, 'GET', '/search', {
    agent,
    query: { workspaceId: workspace, q },
    headers: { [internalHeaders.identity]: token },
  });
  if (answer.status !== 200) throw new Error(`search answered ${answer.status}: ${answer.text}`);
  return answer.body.decisions.map(({ id }: { id: string }) => id);
}
const principal = keyPrincipal();
/** Verified tokens are remembered by a service, as those of a gateway are. */
const tokens = new Map<string, string>();
setInterval(() => tokens.clear(), 30_000).unref();

interface Ask {
  name: string;
  ask: (q: string) => Promise<string[]>;
}

interface Figures {
  p50: number;
  p99: number;
  max: number;
  hits: number;
}

/** Asks each all of a class in turn, pass by pass: whatever else the machine does falls on all of them, and each is warm. */
async function measure(queries: readonly string[], asks: readonly Ask[]): Promise<Figures[]> {
  const runs = asks.map(() => ({ times: [] as number[], hits: 0 }));
  const begunAt = performance.now();
  const isEnough = (passes: number) =>
    passes >= PASSES_MIN && (passes * queries.length >= SAMPLES || performance.now() - begunAt > CLASS_MS);
  for (let pass = 0; !isEnough(pass); pass += 1) {
    for (const [i, { ask }] of asks.entries()) {
      for (const q of queries) {
        const startedAt = performance.now();
        const found = await ask(q);
        runs[i]!.times.push(performance.now() - startedAt);
        runs[i]!.hits += found.length;
      }
    }
  }
  return runs.map(({ times, hits }) => ({
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    hits,
  }));
}

const startMs = Date.now() - count;
const corpus = makeTexts(1);
const ids = Array.from({ length: count }, () => newId());
const texts = Array.from({ length: count }, () => corpus.text(CHARACTERS));

function eventOf(workspace: string, id: string, text: string, createdMs: number): EventEnvelope {
  const at = new Date(createdMs).toISOString();
  const data = sampleDecision({
    id,
    workspace_id: workspace,
    title: text.slice(0, TITLE_CHARACTERS),
    description: text.slice(TITLE_CHARACTERS),
    created_at: at,
  });
  const actor = { type: 'api_key' as const, id: newId(), name: 'bench', key_prefix: 'wmk_bench0' };
  const envelope = {
    id: newId(),
    type: 'decision.created' as const,
    version: 1 as const,
    time: at,
    actor,
    data,
  };
  const subject = { type: 'decision', id, version: 1 };
  const origin = { action: null, request_id: null, ip: null, user_agent: null, changes: null };
  return { ...envelope, workspace_id: workspace, subject, ...origin };
}

const service = await startService('search', 'services/search/src/main.ts', {
  MONGODB_URL: stores.mongoUrl,
  NATS_URL: stores.natsUrl,
});
const nats = await connect({ servers: stores.natsUrl });
const js = jetstream(nats);
const stream = eventStream('waymark');
const publish = (event: EventEnvelope) =>
  js.publish(stream.subject(event.type), JSON.stringify(event), { msgID: event.id });

/** The first items as events, until the projection has them; items a second from the first publication. */
async function project(): Promise<number> {
  const manager = await jetstreamManager(nats);
  await eventually(() => manager.consumers.info(stream.name, 'search'), 10_000);
  const startedAt = performance.now();
  for (let at = 0; at < INTAKE; at += PUBLISHED_AT_ONCE) {
    const until = Math.min(INTAKE, at + PUBLISHED_AT_ONCE);
    const portion = Array.from({ length: until - at }, (_, i) => at + i);
    await Promise.all(portion.map((i) => publish(eventOf(workspaceId, ids[i]!, texts[i]!, startMs + i))));
  }
  await eventually(async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info(stream.name, 'search');
    return num_pending + num_ack_pending === 0;
  }, 3_600_000);
  return INTAKE / ((performance.now() - startedAt) / 1000);
}

/** The other items, as the projection would hold them. */
async function fillProjection(): Promise<void> {
  const mongo = new MongoClient(stores.mongoUrl);
  const database = mongo.db('waymark_search');
  for (let at = INTAKE; at < count; at += INSERT_ITEMS) {
    const portion = Array.from({ length: Math.min(count - at, INSERT_ITEMS) }, (_, i) => at + i);
    const changes = portion.flatMap((i) => changesOf(eventOf(workspaceId, ids[i]!, texts[i]!, startMs + i)));
    const { writes } = planProjection(changes, new Map(), at);
    const documents = writes.map(({ live, ...item }) => {
      const { created_ms, preferred: position, folded, payload } = live!;
      const _id = `${workspaceId}/decision/${item.id}`;
      return { _id, workspace_id: workspaceId, ...item, created_ms, position, folded, payload };
    });
    await database.collection<ItemDocument>('items').insertMany(documents, { ordered: false });
  }
  const revision = Math.max(count, INTAKE);
  await database
    .collection<WorkspaceDocument>('workspaces')
    .updateOne({ _id: workspaceId }, { $set: { revision } });
  await mongo.close();
}

async function metric(name: string): Promise<number> {
  const { text } = await httpCall(service.adminUrl, 'GET', '/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(name));
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** From the first search until one is answered by the index; items a second. */
async function buildIndex(): Promise<number> {
  const startedAt = performance.now();
  const byIndex = 'waymark_search_answers_total{source="index"';
  await eventually(async () => {
    await search(service.url, corpus.words[0]!);
    return (await metric(byIndex)) > 0;
  }, 3_600_000);
  return count / ((performance.now() - startedAt) / 1000);
}

const QUERY = `SELECT id, title, status, description FROM items
  WHERE workspace_id = $1 AND folded LIKE $2 ORDER BY position DESC LIMIT $3::int`;
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The items in PostgreSQL; items a second of the first ones, which it takes in with its indexes in place. */
async function fillPostgres(socket: string): Promise<number> {
  const connection = await connectPostgres(socket);
  await connection.query(`
    CREATE EXTENSION pg_trgm;
    CREATE TABLE items (id uuid PRIMARY KEY, workspace_id uuid, position bigint, title text, status text, description text,
      folded text);
    CREATE INDEX ON items (workspace_id, position);
    CREATE INDEX items_trigrams ON items USING gin (folded gin_trgm_ops)`);
  async function insert(from: number, until: number): Promise<void> {
    for (let at = from; at < until; at += INSERT_ROWS) {
      const rows = texts.slice(at, Math.min(until, at + INSERT_ROWS)).map((text, i) => {
        const [title, description] = [text.slice(0, TITLE_CHARACTERS), text.slice(TITLE_CHARACTERS)];
        const values = [ids[at + i]!, workspaceId, String(startMs + at + i), title, 'proposed', description];
        return `(${[...values, `${fold(title)}A${fold(description)}`].map(quoted).join()})`;
      });
      await connection.query(`INSERT INTO items VALUES ${rows.join()}`);
    }
  }
  const startedAt = performance.now();
  await insert(0, INTAKE);
  const perSecond = INTAKE / ((performance.now() - startedAt) / 1000);
  if (count > INTAKE) {
    await connection.query('DROP INDEX items_trigrams');
    await insert(INTAKE, count);
    await connection.query('CREATE INDEX items_trigrams ON items USING gin (folded gin_trgm_ops)');
  }
  await connection.query('VACUUM ANALYZE items');
  connection.close();
  return perSecond;
}

/** The longest from a publication until a search finds it, while 500 events a second come for ten seconds. */
async function longestLagMs(): Promise<number> {
  const other = newId();
  const lags: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const crowd = (async () => {
    while (performance.now() - startedAt < 10_000) {
      const due = Math.floor((performance.now() - startedAt) / 2);
      const portion = Array.from({ length: due - sent }, () => corpus.text(CHARACTERS));
      sent = due;
      await Promise.all(portion.map((text) => publish(eventOf(workspaceId, newId(), text, Date.now()))));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  while (performance.now() - startedAt < 10_000) {
    const id = newId();
    await publish(eventOf(other, id, `marker ${id}`, Date.now()));
    const publishedAt = performance.now();
    await eventually(async () => (await search(service.url, id, other)).length > 0, 60_000);
    lags.push(performance.now() - publishedAt);
  }
  await crowd;
  return Math.max(...lags);
}

const rows: { name: string; figures: Figures[] }[] = [];
const facts: string[] = [];
const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')} items/s`;
try {
  say(`${count} items`);
  facts.push(`events to projection, the first ${INTAKE.toLocaleString('en')}: ${perSecond(await project())}`);
  await fillProjection();
  say('the projection is full');
  facts.push(`projection to index, from the first search on: ${perSecond(await buildIndex())}`);
  facts.push(
    `index: ${Math.round((await metric('waymark_search_index_bytes')) / 2 ** 20)} MiB of temporary file`,
  );
  say(facts.join('; '));
  const asks: Ask[] = [{ name: 'service', ask: (q) => search(service.url, q) }];
  if (postgres) {
    facts.push(
      `into PostgreSQL with its indexes in place, the first ${INTAKE.toLocaleString('en')}: ${perSecond(await fillPostgres(postgres.socket))}`,
    );
    say(facts.at(-1)!);
    const env = { POSTGRES_SOCKET: postgres.socket, POSTGRES_QUERY: QUERY };
    const peer = await startService('search-peer', 'bench/search-peer.ts', env);
    const connection = await connectPostgres(postgres.socket);
    await connection.prepare('search', QUERY);
    const askAlone = async (q: string) => {
      const pattern = `%${fold(q).replace(/[\\%_]/g, '\\$&')}%`;
      return (await connection.execute('search', [workspaceId, pattern, String(LIMIT)])).map(([id]) => id!);
    };
    asks.push({ name: 'the same service on pg_trgm', ask: (q) => search(peer.url, q) });
    asks.push({ name: 'pg_trgm alone', ask: askAlone });
  }
  const classes: QueryClass[] = queryClasses(corpus, texts);
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1)
    for (const { queries } of classes) for (const q of queries) for (const { ask } of asks) await ask(q);
  for (const { name, queries } of classes) {
    const figures = await measure(queries, asks);
    rows.push({ name, figures });
    const hits = new Set(figures.map((of) => of.hits));
    if (hits.size > 1) throw new Error(`${name}: they do not find the same: ${[...hits].join(' and ')} hits`);
    say(`${name}: ${figures.map(({ p50, p99 }) => `${p50.toFixed(2)}/${p99.toFixed(2)}`).join(', ')}`);
  }
  facts.push(
    `longest until a search finds what was published, at 500 events/s: ${Math.round(await longestLagMs())} ms`,
  );
  facts.push(
    `resident memory of the service: ${Math.round((await metric('process_resident_memory_bytes')) / 2 ** 20)} MiB`,
  );

  const names = asks.map(({ name }) => name);
  console.log(`\n${count.toLocaleString('en')} items of ${CHARACTERS} characters, ${machine()}\n`);
  printHead(['warm, one at a time, ms', ...names.flatMap((name) => [`${name}: p50`, 'p99', 'max'])]);
  for (const { name, figures } of rows) {
    const cells = figures.flatMap(({ p50, p99, max }) => [p50, p99, max]);
    printRow([name, ...cells.map((ms) => ms.toFixed(2))]);
  }
  console.log(`\n${facts.map((fact) => `- ${fact}`).join('\n')}`);
} finally {
  agent.destroy();
  await nats.close();
  await service.process.stop();
  await postgres?.process.stop();
  await stores.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit();
