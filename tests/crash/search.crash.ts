import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { readSecrets } from '../../dev/secrets.ts';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';
import { startWriters } from './support/writers.ts';

const KILLS = 6;
/** Few enough that reading all records again and again takes less than the kills. */
const WRITES_PER_SECOND = 100;

let product: ProductProcesses;
let mongo: MongoClient;
beforeAll(async () => {
  product = await startProductProcesses({
    only: ['accounts', 'decisions', 'workflows', 'threads', 'search'],
    entries: { search: 'tests/crash/services/search-main.ts' },
  });
  mongo = new MongoClient(product.stores.mongoUrl);
});
afterAll(async () => {
  await mongo.close();
  await product.stop();
});

const projection = () => mongo.db('waymark_search');

function writersOf() {
  const { services, key, workspaceId, directory } = product;
  const to = { baseUrls: [services.baseUrl], key, workspaceId, directory };
  return startWriters({ count: 8, perSecond: WRITES_PER_SECOND, ...to });
}

/** Returns the ids of all decisions of a list or a search, page by page. */
async function everyPage(
  path: string,
  query: object,
  cursorOf: (body: never) => string | null,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const answer = await product.call('GET', path, {
      query: { workspaceId: product.workspaceId, ...query, ...(cursor && { cursor }) },
    });
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    ids.push(...answer.body.decisions.map(({ id }: { id: string }) => id));
    cursor = cursorOf(answer.body as never);
  } while (cursor);
  return ids.sort();
}

const stored = () =>
  everyPage('/decisions', { limit: 500 }, (body: { next_cursor: string | null }) => body.next_cursor);
/** Searches for the common prefix of all titles. */
const found = () =>
  everyPage(
    '/search',
    { q: 'decision ', limit: 100 },
    (body: { next_cursors: { decisions: string | null } }) => body.next_cursors.decisions,
  );

/** Expects that a search finds each stored decision exactly once. */
async function expectComplete(): Promise<void> {
  const expected = await stored();
  expect(expected.length).toBeGreaterThan(0);
  await eventually(async () => expect(await found()).toEqual(expected));
}

describe(`${KILLS} kills of search under load`, () => {
  it('leave the projection complete: each stored decision is found once', async () => {
    const writers = writersOf();
    for (let i = 0; i < KILLS; i += 1) {
      await writers.afterMore(25);
      const service = product.processOf('search');
      if (i % 2 === 0) {
        await service.kill('SIGKILL');
      } else {
        // Crash after an event was projected and before its acknowledgement, so that NATS redelivers it.
        await writeFile(join(product.directory, 'crash-search'), '');
        await service.exited;
      }
      await service.restart();
      // Searches continue while the projection catches up, so that the index is built at the same time.
      await eventually(found);
    }
    await writers.stop();
    await expectComplete();
  });
});

async function startRebuild(): Promise<ChildProcess> {
  const urls = product.services.processes.map(({ service, url }) => [`${service.toUpperCase()}_URL`, url]);
  const { mongoUrl: MONGODB_URL, natsUrl: NATS_URL } = product.stores;
  const env = {
    ...{ ...process.env, NODE_OPTIONS: '', MONGODB_URL, NATS_URL },
    ...Object.fromEntries(urls),
    ...(await readSecrets(product.directory)),
  };
  const args = ['--conditions=x-source', 'apps/cli/src/main.ts', 'search', 'rebuild'];
  return spawn(process.execPath, args, {
    cwd: findRepositoryRoot(),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('a rebuild that is killed', () => {
  it('and repeated produces the same projection as the events, while search serves and writes continue', async () => {
    const writers = writersOf();
    await writers.afterMore(400);
    await writers.stop();
    await expectComplete();
    const textOf = () =>
      projection()
        .collection('items')
        .find({}, { projection: { id: 1, folded: 1, payload: 1, version: 1 }, sort: { _id: 1 } })
        .toArray();
    const before = await textOf();
    await projection().collection('items').deleteMany({});
    await projection().collection('workspaces').deleteMany({});

    // Another transaction locks the last record, so that the rebuild cannot end before it is killed.
    const holder = mongo.startSession();
    holder.startTransaction();
    await projection()
      .collection('items')
      .insertOne({ _id: before.at(-1)!._id }, { session: holder });
    const killed = await startRebuild();
    // The rebuild reads decisions after nodes: once the nodes are done, it is half done.
    for await (const chunk of killed.stdout!) if (String(chunk).includes('node:')) killed.kill('SIGKILL');
    if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
    expect(killed.signalCode).toBe('SIGKILL');
    await holder.abortTransaction();
    await holder.endSession();
    expect((await textOf()).length).toBeLessThan(before.length);

    const again = await startRebuild();
    const [code] = await once(again, 'exit');
    expect(code).toBe(0);
    expect(await textOf()).toEqual(before);
    await expectComplete();
    const more = writersOf();
    await more.afterMore(20);
    await more.stop();
    await expectComplete();
  });
});
