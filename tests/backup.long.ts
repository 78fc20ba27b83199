import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, storingServices } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import {
  acquireBinary,
  createTemporaryFolder,
  findRepositoryRoot,
  freePort,
  startMongo,
} from '@waymark/local-stack';
import { version } from '@waymark/service-kit/process';
import { eventually, type Stack, startWebhookReceiver, testFolder } from '@waymark/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { BSON, MongoClient, Timestamp } from 'mongodb';
import { waymark as runWaymark } from '../apps/cli/test/run.ts';
import { startProduct } from './support/product.ts';
import { startS3Server } from './support/s3-server.ts';

const product = await startProduct();
const owner = await product.workspace();
const receiver = await startWebhookReceiver();
const directory = testFolder();
const mongo = new MongoClient(String(product.env['MONGODB_URL']));
afterAll(async () => {
  await mongo.close();
  await receiver.stop();
  await product.stop();
});

/**
 * Decisions before the backup, and at most during it. A single page of decisions holds them all, however long
 * the backup takes.
 */
const BEFORE = 10;
const MEANWHILE = 100;

const bucket = await startS3Server('backups');
afterAll(() => bucket.stop());

function environmentOf(prefix: string) {
  const databases = storingServices.map((name) => [
    `${name.toUpperCase()}_MONGODB_DATABASE`,
    `${prefix}_${name}`,
  ]);
  return { ...product.env, ...bucket.env, ...Object.fromEntries(databases) };
}
const waymark = (prefix: string, ...args: string[]) => runWaymark(environmentOf(prefix), ...args);
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
    const rules = [{ approvals: 1, mode: 'enforced', authorCounts: true }];
    await product.call('PUT', `/approval-rules?workspaceId=${workspaceId}`, {
      cookie: owner.cookie,
      body: { rules },
    });
    const approve = async (at: Stack, id: string) => {
      const path = `/decisions/${id}/approvals?workspaceId=${workspaceId}`;
      const { content_sha256: contentSha256 } = (await at.call('GET', path, { key: owner.key })).body;
      const body = { verdict: 'approve', contentSha256 };
      expect((await at.call('POST', path, { cookie: owner.cookie, body })).status).toBe(201);
    };
    const ids: string[] = [];
    for (let n = 0; n < BEFORE; n += 1) ids.push((await create(n)).body.id);
    await approve(product, ids[0]!);
    await eventually(() => deliveryIds().size === BEFORE);
    const deliveries = mongo.db(`${prefixOf(product)}_webhooks`).collection('deliveries');
    const delivered = { status: 'delivered' };
    await eventually(async () => (await deliveries.countDocuments(delivered)) === BEFORE);
    const before = deliveryIds();
    // Notifications has read what each service had before it: workflows, nodes, decisions and messages.
    const fill = mongo.db(`${prefixOf(product)}_notifications`).collection('fill');
    await eventually(async () => (await fill.countDocuments({ after: null })) === 4);

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
    await approve(product, ids[1]!);

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
      // What was approved after the backup must be approved again.
      const accept = (id: string) =>
        restored.call('PATCH', `/decisions/${id}?workspaceId=${workspaceId}`, {
          key: owner.key,
          body: { status: 'accepted' },
        });
      expect((await accept(ids[0]!)).status).toBe(200);
      expect((await accept(ids[1]!)).body.error).toBe('APPROVAL_REQUIRED');
      await approve(restored, ids[1]!);
      expect((await accept(ids[1]!)).status).toBe(200);
    } finally {
      await restored.stop();
    }
  });

  it('refuses a folder that is not empty, because an older manifest there would validate a partial backup', async () => {
    const again = await waymark(prefixOf(product), 'backup', directory);
    expect(again).toEqual({
      code: 1,
      text: `${directory} is not empty: name another place, or remove what is there`,
    });
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
    await writeFile(manifest, text);
  });
});

describe('a restore that does not finish', () => {
  const names = async (prefix: string) => {
    const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name).filter((name) => name.startsWith(`${prefix}_`));
  };
  const dropAll = async (prefix: string) => {
    for (const name of await names(prefix)) await mongo.db(name).dropDatabase();
  };

  it('leaves data that nothing uses when it is killed, until it is done again', async () => {
    const prefix = `${prefixOf(product)}k`;
    const main = join(findRepositoryRoot(), 'apps/cli/src/main.ts');
    const args = ['--conditions=x-source', '--no-warnings', main, 'restore', directory];
    const restoring = spawn(process.execPath, args, { env: { ...process.env, ...environmentOf(prefix) } });
    const exited = once(restoring, 'exit');
    for await (const printed of restoring.stdout)
      if (/^\w+\.\w+: [1-9]/m.test(String(printed))) restoring.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);

    const why = `the restore of ${directory} has not finished`;
    const command = `waymark restore ${directory} --again`;
    const other = join(directory, '..', `of-half-${prefix}`);
    for (const refused of [['migrate'], ['migrate', '--check'], ['backup', other], ['restore', directory]]) {
      const { code, text } = await waymark(prefix, ...refused);
      expect([refused, code, text]).toEqual([refused, 1, expect.stringContaining(why)]);
      expect(text).toContain(command);
    }
    const examined = await waymark(prefix, 'doctor');
    expect(examined.code).toBe(3);
    expect(examined.text).toContain(`critical: Restore: ${why}: nothing starts with`);
    expect(examined.text).toContain(`fix: if it no longer runs: ${command}`);
    for (const MIGRATE_ON_START of ['true', 'false']) {
      const env = { ...product.env, MONGODB_DATABASE: `${prefix}_decisions`, MIGRATE_ON_START };
      const service = await startDecisions({ ...env, PORT: '0', ADMIN_PORT: '0', NATS_PREFIX: prefix });
      await expect(service.ready).rejects.toThrow(why);
      await service.stop();
    }

    expect(await waymark(prefix, 'restore', directory, '--again')).toMatchObject({ code: 0 });
    const { counts } = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
    const decisions = mongo.db(`${prefix}_decisions`);
    expect(await decisions.collection('decisions').countDocuments()).toBe(counts.decisions.decisions);
    expect(await waymark(prefix, 'migrate', '--check')).toMatchObject({ code: 0 });
    expect((await waymark(prefix, 'restore', directory, '--again')).text).toContain(
      'is not empty: drop the database',
    );
    expect(await decisions.collection('decisions').countDocuments()).toBe(counts.decisions.decisions);
    await dropAll(prefix);
  });

  it('writes nothing when a file is damaged, and names it', async () => {
    const prefix = `${prefixOf(product)}d`;
    const damaged = testFolder();
    await cp(directory, damaged, { recursive: true });
    const file = join(damaged, 'decisions', 'decisions.bson.gz');
    const whole = await readFile(file);
    const restored = () => waymark(prefix, 'restore', damaged);
    await truncate(file, whole.length - 20);
    expect(await restored()).toEqual({ code: 1, text: expect.stringContaining(`${file}: unexpected end`) });
    const documents = gunzipSync(whole);
    // The type of the first field.
    documents[4] = 0x7f;
    await writeFile(file, gzipSync(documents));
    expect(await restored()).toEqual({
      code: 1,
      text: expect.stringContaining(`${file}: a document is not BSON`),
    });
    expect(await names(prefix)).toEqual([]);
  });

  it('says how to go on when what follows the files fails', async () => {
    const prefix = `${prefixOf(product)}f`;
    // Two users with one address: the unique index cannot be built.
    const damaged = testFolder();
    await cp(directory, damaged, { recursive: true });
    const file = join(damaged, 'accounts', 'users.bson.gz');
    const whole = gunzipSync(await readFile(file));
    const { email, ...user } = BSON.deserialize(whole.subarray(0, whole.readInt32LE(0)));
    const manifest = join(damaged, 'manifest.json');
    const described = JSON.parse(await readFile(manifest, 'utf8'));
    described.counts.accounts.users += 1;
    await writeFile(manifest, JSON.stringify(described));
    await writeFile(file, gzipSync(Buffer.concat([whole, BSON.serialize({ ...user, email, _id: newId() })])));
    const { code, text } = await waymark(prefix, 'restore', damaged);
    expect([code, text]).toEqual([1, expect.stringContaining('the data are incomplete')]);
    expect(text).toContain(`waymark restore ${damaged} --again`);
    expect((await waymark(prefix, 'migrate')).text).toContain(`the restore of ${damaged} has not finished`);
    await dropAll(prefix);
  });
});

/** The databases of `verify` have this in their names. */
async function temporaryDatabases(): Promise<string[]> {
  const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name).filter((name) => name.startsWith('waymark_verify_'));
}

async function backupMetric(): Promise<Record<string, number>> {
  const url = `http://127.0.0.1:${product.running['transfer']!.adminPort}/metrics`;
  const text = await (await fetch(url)).text();
  const found = text.matchAll(/^waymark_backup_timestamp_seconds\{.*state="(\w+)".*\} (\S+)$/gm);
  return Object.fromEntries([...found].map(([, state, seconds]) => [state, Number(seconds)]));
}

describe('a series of encrypted backups in a bucket', () => {
  const series = 's3://backups/waymark';

  it('keeps the newest; each can be verified and restored by who has the identity', async () => {
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    const names: string[] = [];
    const keys = join(directory, '..', `identity-${recipient.slice(-8)}`);
    await writeFile(keys, `# created: today\n${identity}\n`);
    for (let n = 0; n < 3; n += 1) {
      const verified = n === 2 ? ['--verify', '--identity', keys] : [];
      const args = ['backup', series, '--keep', '2', '--recipient', recipient, ...verified];
      const { code, text } = await waymark(prefixOf(product), ...args);
      expect([code, text]).toEqual([0, expect.stringMatching(/ is a complete backup/)]);
      names.push(/(\S+) is a complete backup/.exec(text)![1]!);
      if (n === 2) expect(text).toContain(`${names[0]!.split('/').at(-1)} is removed`);
    }
    const { taken, verified } = await backupMetric();
    expect([taken! * 1_000 <= Date.now(), verified]).toEqual([true, taken]);

    expect(await waymark(prefixOf(product), 'backup', 'verify', series)).toEqual({
      code: 1,
      text: `${names[2]} is encrypted: name its identity`,
    });
    const found = await waymark(prefixOf(product), 'backup', 'verify', series, '--identity', keys);
    expect(found).toEqual({ code: 0, text: expect.stringMatching(/can be restored: \d+ audit chains/) });
    expect(await temporaryDatabases()).toEqual([]);

    await writeFile(keys, await generateX25519Identity());
    const foreign = await waymark(prefixOf(product), 'backup', 'verify', names[1]!, '--identity', keys);
    expect(foreign).toEqual({ code: 1, text: expect.stringMatching(/no identity matched/) });
    expect(await waymark(prefixOf(product), 'backup', 'verify', names[0]!)).toEqual({
      code: 1,
      text: `${names[0]} is no whole backup: it has no manifest.json`,
    });
    await rm(keys);
  });

  it('says in one line that there is no such bucket, no server, or that the key is wrong', async () => {
    const backUp = () => waymark(prefixOf(product), 'backup', 's3://absent/x');
    const { env } = bucket;
    expect(await backUp()).toEqual({ code: 1, text: 's3://absent/x: The specified bucket does not exist' });
    bucket.env = { ...env, AWS_SECRET_ACCESS_KEY: 'another' };
    expect(await backUp()).toEqual({
      code: 1,
      text: expect.stringMatching(/^s3:\/\/absent\/x: .*signature.*$/),
    });
    bucket.env = { ...env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${await freePort()}` };
    expect(await backUp()).toEqual({
      code: 1,
      text: expect.stringMatching(/^s3:\/\/absent\/x: .*ECONNREFUSED.*$/),
    });
    bucket.env = env;
  });
});

describe('the verification of a backup', () => {
  let changed: string;
  beforeEach(async () => {
    changed = testFolder();
    await cp(directory, changed, { recursive: true });
  });

  it('finds a changed audit entry, and removes its databases and what a killed one left a day ago', async () => {
    const named = (atMs: number) => `waymark_verify_${Math.floor(atMs / 1_000).toString(16)}0000_accounts`;
    const [old, recent] = [named(Date.now() - 90_000_000), named(Date.now() - 60_000)];
    for (const name of [old, recent]) await mongo.db(name).createCollection('users');
    const file = join(changed, 'audit', 'entries.bson.gz');
    const entries = gunzipSync(await readFile(file));
    entries.write('decision.delete', entries.indexOf('decision.create'));
    await writeFile(file, gzipSync(entries));
    const found = await waymark(prefixOf(product), 'backup', 'verify', changed);
    const text = expect.stringMatching(/audit: the chain \S+: entry \d+: \S+ does not match/);
    expect(found).toEqual({ code: 1, text });
    expect(await temporaryDatabases()).toEqual([recent]);
    await mongo.db(recent).dropDatabase();
  });

  it('finds a chain without its head, and a backup without a database', async () => {
    const path = join(changed, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    manifest.counts.audit.heads = 0;
    await writeFile(join(changed, 'audit', 'heads.bson.gz'), gzipSync(''));
    await writeFile(path, JSON.stringify(manifest));
    const headless = await waymark(prefixOf(product), 'backup', 'verify', changed);
    const text = expect.stringContaining(`the chain ${owner.workspaceId}: there is no signed head`);
    expect(headless).toEqual({ code: 1, text });
    delete manifest.counts.threads;
    await writeFile(path, JSON.stringify(manifest));
    const partial = await waymark(prefixOf(product), 'backup', 'verify', changed);
    expect(partial).toEqual({ code: 1, text: `${changed} lacks the database of threads` });
  });

  it('refuses a backup in the clear where an encrypted one is expected', async () => {
    const keys = join(changed, 'identity.txt');
    await writeFile(keys, await generateX25519Identity());
    const found = await waymark(prefixOf(product), 'backup', 'verify', changed, '--identity', keys);
    expect(found).toEqual({
      code: 1,
      text: `${changed} is not encrypted; without an identity it is accepted`,
    });
  });
});

describe('one workspace of a backup', () => {
  it('is extracted as it was then, and an import restores it after its deletion', async () => {
    const { key, cookie, workspaceId } = await product.workspace();
    const created = async (path: string, body: object) => {
      const answer = await product.call('POST', path, { key, body });
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body;
    };
    const first = await created('/decisions', { workspaceId, title: 'Kept "as it was"', tags: ['$x'] });
    await created('/decisions', { workspaceId, title: 'Second', supersedes: first.id });
    const workflow = await created('/workflows', { workspaceId, title: 'Flow' });
    const place = { workflowId: workflow.id, workspaceId, type: 'task', positionX: 1, positionY: 2 };
    const node = await created('/nodes', { ...place, title: 'Node' });
    await created(`/threads/${node.id}`, { content: 'Hallo' });
    const exported = async (call: { key: string }, id: string) =>
      (await product.call('GET', '/export', { ...call, query: { workspaceId: id } })).body;
    const before = await exported({ key }, workspaceId);

    const place2 = testFolder();
    const backup = join(place2, 'backup');
    const file = join(place2, 'workspace.json');
    expect(await waymark(prefixOf(product), 'backup', backup)).toMatchObject({ code: 0 });
    await created('/decisions', { workspaceId, title: 'After the backup' });
    const extract = (id: string) => waymark(prefixOf(product), 'backup', 'extract', backup, id, file);
    expect(await extract(newId())).toEqual({ code: 1, text: expect.stringContaining('has no workspace') });
    expect(await extract(workspaceId)).toMatchObject({ code: 0 });
    expect((await extract(workspaceId)).text).toContain('EEXIST');
    expect(await temporaryDatabases()).toEqual([]);
    const text = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(text)).toEqual({ ...before, exported_at: expect.any(String) });

    const deleted = await product.call('DELETE', `/workspaces/${workspaceId}`, { cookie });
    expect(deleted.status).toBe(204);
    const other = await product.workspace();
    await eventually(async () => {
      const of = { workspace_id: workspaceId };
      const left = Object.entries({ decisions: 'decisions', workflows: 'nodes', threads: 'messages' }).map(
        ([service, name]) =>
          mongo
            .db(`${prefixOf(product)}_${service}`)
            .collection(name)
            .countDocuments(of),
      );
      expect(await Promise.all(left)).toEqual([0, 0, 0]);
    });
    const query = { workspaceId: other.workspaceId, ids: 'keep' };
    const begun = await product.call('POST', '/imports', { key: other.key, query, rawBody: text });
    await eventually(async () => {
      const job = await product.call('GET', `/imports/${begun.body.id}`, { key: other.key });
      expect(job.body.status).toBe('succeeded');
    });
    const restored = await exported(other, other.workspaceId);
    expect(restored.counts).toEqual(before.counts);
  });
});

describe('a moment between two backups', () => {
  const series = 's3://backups/moments';

  /** What MongoDB itself remembers of a moment, or what a restoration made of it, without its indexes. */
  async function contentOf(prefix: string, collections: readonly string[][], atMs?: number) {
    const session = mongo.startSession({ snapshot: atMs !== undefined });
    if (atMs !== undefined)
      Object.assign(session, { snapshotTime: new Timestamp({ t: atMs / 1_000, i: 0 }) });
    const content: Record<string, unknown[]> = {};
    for (const [service, name] of collections) {
      const cursor = mongo.db(`${prefix}_${service}`).collection(name!).find({}, { session });
      content[`${service}.${name}`] = await cursor.sort({ _id: 1 }).toArray();
    }
    await session.endSession();
    return content;
  }

  it('is restored from the changes since the last one, encrypted, and its audit chains verify', async () => {
    const { key, cookie, workspaceId } = await product.workspace();
    const identity = await generateX25519Identity();
    const recipient = ['--recipient', await identityToRecipient(identity)];
    const keys = join(directory, '..', `identity-${workspaceId}`);
    await writeFile(keys, identity);
    const changed = async (n: number) => {
      const title = `Decision ${n}`;
      const made = await product.call('POST', '/decisions', {
        key,
        body: { workspaceId, title, tags: ['a'] },
      });
      const body = { title: `${title}, changed`, tags: ['b', 'a'] };
      await product.call('PATCH', `/decisions/${made.body.id}`, { key, body });
      const other = await product.call('POST', '/decisions', { key, body: { workspaceId, title } });
      expect((await product.call('DELETE', `/decisions/${other.body.id}`, { key })).status).toBe(204);
    };
    const own = (...args: string[]) => waymark(prefixOf(product), ...args);
    await changed(1);
    expect(await own('backup', series, '--keep', '2', ...recipient)).toMatchObject({ code: 0 });
    await changed(2);
    const clock = async () => (await mongo.db().command({ ping: 1 }))['operationTime'].getHighBitsUnsigned();
    const atMs = ((await clock()) + 1) * 1_000;
    for (let n = 3; (await clock()) <= atMs / 1_000; n += 1) await changed(n);
    const { code, text } = await own('backup', 'oplog', series, ...recipient);
    const kept = /changes are kept up to (\S+)$/.exec(text)?.[1];
    expect([code, Date.parse(kept!) > atMs]).toEqual([0, true]);
    expect((await backupMetric())['oplog']).toBe(Date.parse(kept!) / 1_000);
    await changed(1_000);

    const collections: string[][] = [];
    // The event log begins anew.
    for (const service of storingServices)
      for (const { name } of await mongo
        .db(`${prefixOf(product)}_${service}`)
        .listCollections()
        .toArray())
        if (!/^(schema_.*|outbox_meta|backups|event_log)$/.test(name)) collections.push([service, name]);
    const remembered = await contentOf(prefixOf(product), collections, atMs);
    const prefix = `${prefixOf(product)}m`;
    const until = ['--until', new Date(atMs).toISOString().replace('.000', ''), '--identity', keys];
    const restored = await waymark(prefix, 'restore', series, ...until);
    expect(restored).toMatchObject({ code: 0, text: expect.stringMatching(/[1-9]\d* changes until /) });
    expect(await contentOf(prefix, collections)).toEqual(remembered);
    const log = mongo.db(`${prefix}_audit`).collection('event_log');
    expect(await log.countDocuments({ number: { $gt: 0 } })).toBe(0);
    expect(await own('backup', 'verify', series, ...until)).toMatchObject({
      code: 0,
      text: expect.stringContaining(`the backup of ${new Date(atMs).toISOString()} can be restored`),
    });
    expect(await temporaryDatabases()).toEqual([]);
    const file = join(directory, '..', `workspace-${workspaceId}.json`);
    expect(await own('backup', 'extract', series, workspaceId, file, ...until)).toMatchObject({ code: 0 });
    const titles = JSON.parse(await readFile(file, 'utf8')).decisions.map(
      ({ title }: { title: string }) => title,
    );
    expect(titles).toContain('Decision 2, changed');
    expect(titles).not.toContain('Decision 1000, changed');

    const exported = await product.call('GET', `/audit-log/verify?workspaceId=${workspaceId}`, { cookie });
    expect(exported.body).toMatchObject({ valid: true });
    const wrong = await own('restore', series, '--until', '2026-11-24T01:30');
    expect(wrong).toEqual({ code: 1, text: expect.stringContaining('2026-11-24T01:30:00Z') });
    await rm(keys);
    await rm(file);
    await Promise.all(storingServices.map((name) => mongo.db(`${prefix}_${name}`).dropDatabase()));
  });

  it('is refused if the oplog has lost changes since the last backup', async () => {
    const dataDir = createTemporaryFolder(tmpdir(), 'waymark-oplog-');
    const binary = await acquireBinary('mongo', console.error);
    const small = await startMongo({ binary, dataDir, cacheGb: 0.25, oplogMb: 1, checkpointSeconds: 1 });
    const client = new MongoClient(small.url);
    try {
      const own = (...args: string[]) => runWaymark({ ...product.env, MONGODB_URL: small.url }, ...args);
      const place = join(dataDir, 'series');
      expect(await own('migrate')).toMatchObject({ code: 0 });
      expect(await own('backup', place, '--keep', '2')).toMatchObject({ code: 0 });
      expect(await own('backup', 'oplog', place)).toMatchObject({ code: 0 });
      const oplog = client.db('local').collection('oplog.rs');
      const filler = client.db('other').collection('filler');
      const text = 'x'.repeat(1_000_000);
      await filler.insertOne({ text });
      const next = await oplog.findOne({}, { sort: { $natural: -1 } });
      await eventually(async () => {
        await filler.insertOne({ text });
        expect(await oplog.findOne({ ts: next!['ts'] })).toBeNull();
      });
      const refused = await own('backup', 'oplog', place);
      expect(refused.code).toBe(1);
      expect(refused.text.split('\n').at(-1)).toMatch(
        /^the oplog lacks changes of accounts .*: make a full backup/,
      );
      expect(await own('backup', place, '--keep', '2')).toMatchObject({ code: 0 });
      const again = await own('backup', 'oplog', place);
      expect(again).toEqual({
        code: 0,
        text: expect.stringContaining(' are lost'),
      });
    } finally {
      await client.close();
      await small.stop();
      await rm(dataDir, { recursive: true });
    }
  });
});
