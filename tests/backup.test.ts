import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { version } from '@waymark/service-kit/process';
import {
  eventually,
  type Owner,
  type Stack,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { createProgram } from '../apps/cli/src/program.ts';
import { runProgram } from '../apps/cli/src/run-program.ts';
import { startProduct } from './support/product.ts';

let product: Stack;
let owner: Owner & { key: string };
let receiver: WebhookReceiver;
let directory: string;
let mongo: MongoClient;
beforeAll(async () => {
  product = await startProduct();
  owner = await product.workspace();
  receiver = await startWebhookReceiver();
  directory = await mkdtemp(join(tmpdir(), 'waymark-backup-'));
  mongo = new MongoClient(String(product.env['MONGODB_URL']));
});
afterAll(async () => {
  await mongo.close();
  await receiver.stop();
  await rm(directory, { recursive: true, force: true });
  await product.stop();
});

/**
 * Decisions before the backup, and at most during it. A single page of decisions holds them all, however long
 * the backup takes.
 */
const BEFORE = 10;
const MEANWHILE = 100;

const STORING = ['accounts', 'decisions', 'workflows', 'threads', 'search', 'audit', 'webhooks', 'transfer'];

async function waymark(prefix: string, ...args: string[]) {
  const lines: string[] = [];
  const databases = STORING.map((name) => [`${name.toUpperCase()}_MONGODB_DATABASE`, `${prefix}_${name}`]);
  const print = (line: string) => lines.push(line);
  const env = { ...product.env, ...Object.fromEntries(databases) };
  const code = await runProgram(createProgram, args, { env, out: print, error: print });
  return { code, text: lines.join('\n') };
}
const prefixOf = (stack: Stack) => String(stack.env['NATS_PREFIX']);
const deliveryIds = () => new Set(receiver.requests.map(({ headers }) => String(headers['webhook-id'])));

describe('a backup', () => {
  it('restores a complete installation from a backup that was taken during writes', async () => {
    const { workspaceId } = owner;
    const webhook = { workspaceId, url: receiver.url, events: ['decision.created'] };
    await product.call('POST', '/webhooks', { cookie: owner.cookie, body: webhook });
    const create = (n: number) =>
      product.call('POST', `/decisions?workspaceId=${workspaceId}`, {
        key: owner.key,
        body: { title: `Decision ${n}` },
      });
    for (let n = 0; n < BEFORE; n += 1) expect((await create(n)).status).toBe(201);
    await eventually(() => deliveryIds().size === BEFORE);
    const deliveries = mongo.db(`${prefixOf(product)}_webhooks`).collection('deliveries');
    const delivered = { status: 'delivered' };
    await eventually(async () => (await deliveries.countDocuments(delivered)) === BEFORE);
    const before = deliveryIds();

    const startedAt = Date.now();
    let writing = true;
    let written = BEFORE;
    const writer = (async () => {
      for (; writing && written < BEFORE + MEANWHILE; written += 1)
        expect((await create(written)).status).toBe(201);
    })();
    const [backup] = await Promise.all([
      waymark(prefixOf(product), 'backup', directory).finally(() => {
        writing = false;
      }),
      writer,
    ]);
    expect(backup).toMatchObject({ code: 0 });
    const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: 1, version });
    // MongoDB's snapshot has whole seconds.
    const snapshotAt = Date.parse(manifest.snapshot_at);
    expect(snapshotAt).toBeGreaterThan(startedAt - 2_000);
    expect(snapshotAt).toBeLessThanOrEqual(Date.parse(manifest.taken_at));
    expect(written).toBeGreaterThan(BEFORE);
    await eventually(() => deliveryIds().size === written);
    receiver.requests.length = 0;

    const prefix = `${prefixOf(product)}r`;
    expect(await waymark(prefixOf(product), 'restore', directory)).toEqual({
      code: 1,
      text: expect.stringContaining('is not empty'),
    });
    expect(await waymark(prefix, 'restore', directory)).toMatchObject({
      code: 0,
      text: expect.stringContaining(`a backup of ${manifest.snapshot_at}, version ${version}`),
    });
    const restored = await startProduct({
      NATS_PREFIX: prefix,
      REDIS_PREFIX: prefix,
      MIGRATE_ON_START: 'false',
    });
    try {
      const path = `/decisions?workspaceId=${workspaceId}&limit=500`;
      const { decisions } = (await restored.call('GET', path, { key: owner.key })).body;
      expect(decisions.length).toBeGreaterThanOrEqual(BEFORE);
      expect(decisions.length).toBeLessThanOrEqual(written);
      const entries = mongo.db(`${prefix}_audit`).collection('entries');
      await eventually(
        async () => (await entries.countDocuments({ action: 'decision.create' })) === decisions.length,
      );
      const verify = `/audit-log/verify?workspaceId=${workspaceId}`;
      const verified = await restored.call('GET', verify, { cookie: owner.cookie });
      expect(verified.body).toMatchObject({ valid: true, fault: null });
      const search = `/search?workspaceId=${workspaceId}&q=Decision%203`;
      await eventually(
        async () => (await restored.call('GET', search, { key: owner.key })).body.decisions.length > 0,
      );
      expect([...deliveryIds()].filter((id) => before.has(id))).toEqual([]);
    } finally {
      await restored.stop();
    }
  }, 240_000);

  it('refuses a folder that is not empty, because an older manifest there would validate a partial backup', async () => {
    const again = await waymark(prefixOf(product), 'backup', directory);
    expect(again).toEqual({ code: 1, text: `${directory} is not empty` });
  });

  it('is not restored if it is incomplete', async () => {
    const manifest = join(directory, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await rm(manifest);
    const prefix = `${prefixOf(product)}x`;
    expect((await waymark(prefix, 'restore', directory)).text).toContain('is no whole backup');
    await writeFile(manifest, text.replace(/"users": \d+/, '"users": 99'));
    expect((await waymark(prefix, 'restore', directory)).text).toMatch(
      /users.bson.gz has \d+ documents of 99/,
    );
    await Promise.all(STORING.map((name) => mongo.db(`${prefix}_${name}`).dropDatabase()));
  });
});
