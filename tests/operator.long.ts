import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventStream, type ServiceName, services, storingServices } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import {
  generateSigningKey,
  identityPrivateKeysOf,
  identityPublicKeysOf,
} from '@waymark/service-kit/process';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { waymark as runWaymark } from '../apps/cli/test/run.ts';
import { startProduct } from './support/product.ts';

const product = await startProduct({ SIGN_UP: 'open' });
const mongo = new MongoClient(String(product.env['MONGODB_URL']));
afterAll(async () => {
  await mongo.close();
  await product.stop();
});

const databaseOf = (service: string) => mongo.db(`${product.env['NATS_PREFIX']}_${service}`);

function waymark(args: string[], more: Record<string, string> = {}) {
  const databases = storingServices.map((name) => [
    `${name.toUpperCase()}_MONGODB_DATABASE`,
    `${product.env['NATS_PREFIX']}_${name}`,
  ]);
  return runWaymark({ ...product.env, ...Object.fromEntries(databases), ...more }, ...args);
}
const passwordIn = (text: string) => /this once: (\S+)/.exec(text)?.[1];

/** Collections whose documents expire. docs/operating/erasing-a-person.md lists them. */
const EXPIRING = ['outbox', 'idempotency', 'deliveries'];

/** Returns the collections of all services that contain one of the texts. */
async function collectionsWith(...texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const service of storingServices) {
    const collections = await databaseOf(service).listCollections().toArray();
    for (const { name } of collections.filter((each) => !EXPIRING.includes(each.name))) {
      const stored = JSON.stringify(await databaseOf(service).collection(name).find().toArray());
      if (texts.some((text) => stored.includes(text))) found.push(`${service}.${name}`);
    }
  }
  return found.sort();
}

const signIn = (email: string, password: string | undefined) =>
  product.call('POST', '/auth/sign-in', { body: { email, password } });

describe('waymark admin', () => {
  it('creates the first owner, who can sign in; a second run changes nothing', async () => {
    const email = `first.${product.env['NATS_PREFIX']}@example.com`;
    const args = ['admin', 'create-owner', email, '--name', 'Grace Hopper', '--workspace', 'Navy'];
    const made = await waymark(args);
    expect(made.code).toBe(0);
    const answer = await signIn(email, passwordIn(made.text));
    expect(answer.status).toBe(200);
    expect(answer.body.workspaces).toMatchObject([{ name: 'Navy', role: 'owner' }]);
    expect(await waymark(args)).toEqual({ code: 0, text: expect.stringContaining('already') });
    await eventually(async () => {
      const actions = await databaseOf('audit').collection('entries').distinct('action');
      return ['user.create', 'workspace.create'].every((action) => actions.includes(action));
    });
  });

  it('applies the retention of the audit log, if it is configured', async () => {
    expect(await waymark(['retention', 'apply'])).toEqual({
      code: 1,
      text: expect.stringContaining('AUDIT_RETENTION_DAYS is missing'),
    });
    expect((await waymark(['retention', 'apply'], { AUDIT_RETENTION_DAYS: '7' })).code).toBe(1);
    await product.workspace();
    expect(await waymark(['retention', 'apply'], { AUDIT_RETENTION_DAYS: '30' })).toEqual({
      code: 0,
      text: 'audit: 0 entries past their retention removed',
    });
  });

  it('holds the deleted records of a workspace, or of all, until it releases them', async () => {
    const { workspaceId, key } = await product.workspace();
    const query = { workspaceId };
    const purgedAt = async () => {
      const { body } = await product.call('GET', '/decisions/trash', { key, query });
      return body.data[0].purged_at;
    };
    const made = await product.call('POST', '/decisions', { key, body: { title: 'Gone' } });
    await product.call('DELETE', `/decisions/${made.body.id}`, { key, query });
    for (const whose of [workspaceId, 'all']) {
      expect((await waymark(['retention', 'hold', whose])).code).toBe(0);
      expect(await purgedAt()).toBeNull();
      expect((await waymark(['retention', 'release', whose])).code).toBe(0);
      expect(await purgedAt()).toEqual(expect.any(String));
    }
    expect((await waymark(['retention', 'hold', 'everything'])).code).toBe(1);
  });

  it('recovers a password, and revokes the old one and every session', async () => {
    const owner = await product.signUp();
    const recovered = await waymark(['admin', 'recover-password', owner.email]);
    expect(recovered.code).toBe(0);
    expect((await signIn(owner.email, owner.password)).status).toBe(401);
    expect((await signIn(owner.email, passwordIn(recovered.text))).status).toBe(200);
    await eventually(
      async () => (await product.call('GET', '/auth/sessions', { cookie: owner.cookie })).status === 401,
    );
    expect(await waymark(['admin', 'recover-password', 'nobody@example.com'])).toEqual({
      code: 1,
      text: 'no user has the email or id nobody@example.com',
    });
  });

  it('changes a plan immediately, with an audit entry of the operator in the workspace’s chain', async () => {
    const { workspaceId, key } = await product.workspace();
    const list = () => product.call('GET', '/decisions', { key, query: { workspaceId } });
    expect((await list()).status).toBe(200);
    expect((await waymark(['admin', 'change-plan', workspaceId, 'free'])).code).toBe(0);
    await eventually(async () => (await list()).body.error === 'PLAN_GATE');
    expect(await waymark(['admin', 'change-plan', workspaceId, 'free'])).toEqual({
      code: 0,
      text: 'the workspace is already on the plan free',
    });
    const entries = databaseOf('audit').collection('entries');
    const changed = { workspace_id: workspaceId, action: 'workspace.plan_change' };
    await eventually(async () => (await entries.countDocuments(changed)) === 1);
    expect(await entries.findOne(changed)).toMatchObject({
      actor: { type: 'service', id: null },
      chain: workspaceId,
      details: expect.stringMatching(/"after":"free".*"name":"operator"/),
    });
    for (const [id, plan] of [
      [workspaceId, 'gold'],
      ['nothing', 'pro'],
    ] as const) {
      expect((await waymark(['admin', 'change-plan', id, plan])).code).toBe(1);
    }
  });

  it('erases a person from every service; their actions stay and the chain still verifies', async () => {
    const owner = await product.workspace();
    const person = await product.signUp('Rosalind Franklin');
    const { workspaceId } = owner;
    await product.addMember(owner, person, 'admin');
    const asPerson = { cookie: person.cookie };
    const create = async (path: string, body: object) => {
      const answer = await product.call('POST', path, { ...asPerson, body });
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body;
    };
    const made = await create('/decisions', { workspaceId, title: 'Photograph 51' });
    const forecast = { ...asPerson, body: { workspaceId, probability: 0.9 } };
    expect((await product.call('PUT', `/decisions/${made.id}/forecast`, forecast)).status).toBe(200);
    const changed = { ...asPerson, body: { workspaceId, outcome: 'success', status: 'accepted' } };
    expect((await product.call('PATCH', `/decisions/${made.id}`, changed)).status).toBe(200);
    for (const result of ['change', 'reaffirm'])
      await create(`/decisions/${made.id}/reviews`, { workspaceId, result });
    const workflow = await create('/workflows', { workspaceId, title: 'Structure of DNA' });
    const node = await create('/nodes', {
      ...{ workspaceId, workflowId: workflow.id, type: 'task', title: 'Take it' },
      ...{ positionX: 0, positionY: 0 },
    });
    const { message } = await create(`/threads/${node.id}`, { content: 'Look at the B form' });
    const edited = { ...asPerson, body: { content: 'Look at the B form again' } };
    const messageAt = `/threads/${node.id}/messages/${message.id}`;
    expect((await product.call('PATCH', messageAt, edited)).status).toBe(200);
    expect((await product.call('PUT', `${messageAt}/resolution`, asPerson)).status).toBe(200);
    await create('/decisions/calendar-token', { workspaceId });
    const file = { query: { workspaceId }, rawBody: 'no export' };
    const { body: job } = await product.call('POST', '/imports', { ...asPerson, ...file });
    expect(job.created_by).toEqual({ type: 'session', id: person.userId, name: expect.any(String) });
    const { text: rawBody } = await product.call('GET', '/export', { ...asPerson, query: { workspaceId } });
    const copy = { query: { workspaceId, ids: 'remap' }, rawBody };
    const { body: copied } = await product.call('POST', '/imports', { ...asPerson, ...copy });
    await eventually(async () => {
      const { body } = await product.call('GET', `/imports/${copied.id}`, asPerson);
      expect(body.status).toBe('succeeded');
    });
    const entries = databaseOf('audit').collection('entries');
    const done = [
      ...['user.sign_up', 'workspace.create', 'decision.create', 'decision.update', 'workflow.create'],
      ...[
        'node.create',
        'thread.message_create',
        'thread.message_update',
        'calendar_feed.create',
        'workspace.import',
      ],
    ];
    await eventually(async () => {
      expect(await entries.distinct('action', { 'actor.id': person.userId })).toEqual(
        expect.arrayContaining(done),
      );
      const addition = { workspace_id: workspaceId, action: 'invitation.accept' };
      expect(await entries.countDocuments(addition)).toBe(1);
    });
    // Before the erasure, the search finds the text.
    expect(await collectionsWith('Rosalind', person.email)).toEqual(
      expect.arrayContaining([
        'accounts.users',
        'audit.entries',
        'decisions.decisions',
        'decisions.forecasts',
        'decisions.history',
        'decisions.outcomes',
        'threads.messages',
        'transfer.import_jobs',
      ]),
    );

    const refused = await waymark(['admin', 'erase-person', person.email]);
    expect(refused).toEqual({ code: 1, text: expect.stringContaining('the only owner of') });
    const own = `/workspaces/${person.workspaceId}`;
    expect((await product.call('DELETE', own, asPerson)).status).toBe(204);

    const deletion = { action: 'workspace.delete' };
    await eventually(async () => (await entries.countDocuments(deletion)) > 0);
    expect((await waymark(['admin', 'erase-person', person.email])).code).toBe(0);
    expect((await signIn(person.email, person.password)).status).toBe(401);
    const path = `/audit-log/verify?workspaceId=${workspaceId}`;
    const verified = await product.call('GET', path, { cookie: owner.cookie });
    expect(verified.body).toMatchObject({ valid: true, fault: null });
    expect(verified.body.erased).toBeGreaterThan(0);
    const kept = await product.call('GET', `/decisions/${made.id}?workspaceId=${workspaceId}`, {
      key: owner.key,
    });
    expect(kept.body.title).toBe('Photograph 51');
    const thread = await product.call('GET', `/threads/${node.id}`, { key: owner.key });
    expect(thread.text).toContain('Look at the B form again');
    expect(await collectionsWith('Rosalind', person.email)).toEqual([]);
    const told = await product.call('GET', `/imports/${job.id}`, { key: owner.key });
    expect(told.body.created_by).toEqual({ type: 'session', id: person.userId, name: null });
    expect((await waymark(['admin', 'erase-person', person.userId])).text).toContain('0 records');
  });

  it.each([
    ['CURSOR_SECRETS', /^[0-9a-f]{64}$/],
    ['AUDIT_SIGNING_KEYS', /^[\w+/]{64}$/],
    ['WEBHOOK_ENCRYPTION_KEYS', /^[\w+/]{43}=$/],
  ])('prints the next value of %s, step by step', async (variable, shape) => {
    const step = async (name: string, now: string) => {
      const { code, text } = await waymark(['secrets', name, variable], { [variable]: now });
      return code === 0 ? text.split('\n').at(-1)!.split(',') : { code, text };
    };
    const old = String(product.env[variable]);
    expect(await step('promote', old)).toMatchObject({ code: 1, text: expect.not.stringContaining(old) });
    // A new secret alone would replace the one in use.
    for (const name of ['add', 'promote', 'retire'])
      expect(await step(name, '')).toEqual({
        code: 1,
        text: expect.stringContaining(`${variable} is missing`),
      });
    const added = (await step('add', old)) as string[];
    expect(added).toEqual([old, expect.stringMatching(shape)]);
    const promoted = (await step('promote', added.join())) as string[];
    expect(promoted).toEqual(added.toReversed());
    const retired = (await step('retire', promoted.join())) as string[];
    expect(retired[0]).toBe(added[1]);
    expect(retired).not.toContain(old);
    // The public key of the old key verifies heads that it signed.
    expect(retired).toHaveLength(variable === 'AUDIT_SIGNING_KEYS' ? 2 : 1);
    if (variable === 'AUDIT_SIGNING_KEYS') expect(await step('retire', retired.join())).toEqual(retired);
    expect(await step('retire', 'nonsense')).toMatchObject(
      variable === 'CURSOR_SECRETS'
        ? ['nonsense']
        : { code: 1, text: expect.not.stringMatching(/nonsense|\n/) },
    );
  });

  it('prints it as a patch of a Secret that still has the previous value', async () => {
    const old = String(product.env['CURSOR_SECRETS']);
    const decoded = (value: string) => Buffer.from(value, 'base64').toString();
    for (const key of ['CURSOR_SECRETS', 'other.key']) {
      const args = ['secrets', 'add', 'CURSOR_SECRETS', '--patch', ...(key === 'other.key' ? [key] : [])];
      const { text } = await waymark(args);
      const [test, replace, ...others] = JSON.parse(text);
      expect(others).toEqual([]);
      expect(test).toMatchObject({ op: 'test', path: `/data/${key}` });
      expect(decoded(test.value)).toBe(old);
      expect(replace).toMatchObject({ op: 'replace', path: `/data/${key}` });
      expect(decoded(replace.value).split(',')).toEqual([old, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    }
    const none = await waymark(['secrets', 'add', 'CURSOR_SECRETS', '--patch'], { CURSOR_SECRETS: '' });
    expect(none).toEqual({ code: 1, text: expect.stringContaining('CURSOR_SECRETS is missing') });
  });

  it('rotates the identity keys of all services together, with their public keys', async () => {
    const variables = (Object.keys(services) as ServiceName[]).map(identityPrivateKeysOf);
    const lists = (env: Record<string, string>) => variables.map((name) => env[name]!.split(','));
    const rotate = ['secrets', 'add', 'IDENTITY_PRIVATE_KEYS'];
    const step = async (name: string, env: Record<string, string>) => {
      const { code, text } = await waymark(['secrets', name, rotate[2]!], env);
      const lines = text
        .split('\n')
        // A sentence on stderr says how many secrets of accounts were encrypted anew.
        .filter((line) => /^\w+=/.test(line))
        .map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]);
      const next = Object.fromEntries(lines) as Record<string, string>;
      expect([code, Object.keys(next)]).toEqual([0, [...variables, 'IDENTITY_PUBLIC_KEYS']]);
      expect(next['IDENTITY_PUBLIC_KEYS']).toBe(identityPublicKeysOf(next));
      return next;
    };
    const first: Record<string, string> = Object.fromEntries(
      variables.map((name) => [name, generateSigningKey()]),
    );
    first['IDENTITY_PUBLIC_KEYS'] = identityPublicKeysOf(first);
    const added = await step('add', first);
    expect(lists(added)).toEqual(lists(first).map(([old]) => [old, expect.any(String)]));
    const promoted = await step('promote', added);
    expect(lists(promoted)).toEqual(lists(added).map((keys) => keys.toReversed()));
    const retired = await step('retire', promoted);
    expect(lists(retired)).toEqual(lists(added).map(([, fresh]) => [fresh]));

    const { text } = await waymark([...rotate, '--patch'], first);
    const patched = JSON.parse(text) as { op: string; path: string; value: string }[];
    const keys = [...variables, 'IDENTITY_PUBLIC_KEYS'];
    expect(patched.map(({ op, path }) => [op, path])).toEqual(
      keys.flatMap((key) => [
        ['test', `/data/${key}`],
        ['replace', `/data/${key}`],
      ]),
    );
    const tested = patched.filter(({ op }) => op === 'test').map(({ value }) => atob(value));
    expect(tested).toEqual(keys.map((key) => first[key]));
    const refused = [
      await waymark([...rotate, '--patch', 'other.key'], first),
      await waymark(['secrets', 'promote', rotate[2]!], first),
      await waymark(['secrets', 'retire', rotate[2]!], { ...first, AUDIT_IDENTITY_PRIVATE_KEYS: 'nonsense' }),
      await waymark([...rotate, '--patch'], { ...first, AUDIT_IDENTITY_PRIVATE_KEYS: '' }),
      await waymark(rotate, { ...first, AUDIT_IDENTITY_PRIVATE_KEYS: '' }),
    ];
    expect(refused).toEqual(
      [
        'takes no key',
        'has one secret',
        'not a list of Ed25519',
        'AUDIT_IDENTITY_PRIVATE_KEYS is missing',
        'AUDIT_IDENTITY_PRIVATE_KEYS is missing',
      ].map((message) => ({ code: 1, text: expect.stringContaining(message) })),
    );
    expect(JSON.stringify(refused)).not.toContain('nonsense');
  });

  it('encrypts webhook secrets with a new key, so that the old key can be removed', async () => {
    const owner = await product.workspace();
    const body = {
      workspaceId: owner.workspaceId,
      url: 'http://127.0.0.1:9999/',
      events: ['decision.created'],
    };
    expect((await product.call('POST', '/webhooks', { cookie: owner.cookie, body })).status).toBe(201);
    const fresh = randomBytes(32).toString('base64');
    const present = product.env['WEBHOOK_ENCRYPTION_KEYS'];
    const rotate = ['admin', 'rotate-webhook-secrets'];
    const rotateTo = (...keys: unknown[]) => waymark(rotate, { WEBHOOK_ENCRYPTION_KEYS: keys.join() });
    expect((await rotateTo(fresh, present)).text).toMatch(/^[1-9]\d* secrets/);
    expect((await rotateTo(fresh)).text).toMatch(/^0 secrets/);
    expect((await waymark(rotate)).code).toBe(1);
    const finding = 'critical: Secrets: WEBHOOK_ENCRYPTION_KEYS does not decrypt the secrets of';
    expect((await waymark(['doctor'])).text).toContain(finding);
    expect((await rotateTo(present, fresh)).text).toMatch(/^[1-9]\d* secrets/);
    expect((await waymark(['doctor'])).text).not.toContain(finding);
  });

  it('rotates no other variable', async () => {
    const refused = await waymark(['secrets', 'add', 'MONGODB_URL']);
    expect(refused).toEqual({
      code: 1,
      text: expect.stringContaining('CURSOR_SECRETS, AUDIT_SIGNING_KEYS'),
    });
  });

  it('prints no secret of the environment, whatever fails', async () => {
    const commands = [
      ['admin', 'recover-password', 'x@example.com'],
      ['admin', 'erase-person', 'x'],
      ['migrate'],
    ];
    for (const command of commands) {
      const { text } = await waymark(command, {
        LOG_LEVEL: 'loud',
        MONGODB_URL: 'mongodb://u:canary-pw@127.0.0.1:1/',
      });
      for (const secret of ['canary-pw', String(product.env['CURSOR_SECRETS'])])
        expect(text).not.toContain(secret);
    }
  });
});

describe('waymark audit', () => {
  it('brings back the entries of a chain that was deleted, after a segment that names the gap', async () => {
    const { workspaceId, key, cookie } = await product.workspace();
    const entries = databaseOf('audit').collection('entries');
    const own = { chain: workspaceId };
    const created = { ...own, action: 'decision.create' };
    async function decide(count: number): Promise<void> {
      const body = { title: 'Keep the evidence' };
      const made = await product.call('POST', `/decisions?workspaceId=${workspaceId}`, { key, body });
      expect(made.status).toBe(201);
      // A row is marked as published soon after its publication.
      const outbox = databaseOf('decisions').collection('outbox');
      await eventually(async () => (await outbox.countDocuments({ pending: true })) === 0);
      if (count > 0) await eventually(async () => (await entries.countDocuments(created)) === count);
    }
    /** Deletes the chain and lets an event find that. */
    async function lose(): Promise<void> {
      await entries.deleteMany(own);
      await databaseOf('audit').collection<{ _id: string }>('heads').deleteOne({ _id: workspaceId });
      await decide(0);
      const stopped = databaseOf('audit').collection<{ _id: string }>('stopped_chains');
      await eventually(async () => (await stopped.findOne({ _id: workspaceId })) !== null);
    }
    await decide(1);
    const count = await entries.countDocuments(own);
    await lose();
    const resumed = await waymark(['audit', 'resume', workspaceId]);
    expect(resumed).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^decisions: events of the outbox to publish again: [1-9]/m),
    });
    expect(resumed.text).toContain(
      `${workspaceId}: entries 1 to ${count} are not proven (missing); the event stream named entry ${count}; ${count + 1} held events appended`,
    );
    expect(await entries.countDocuments(created)).toBe(2);
    const path = `/audit-log/verify?workspaceId=${workspaceId}`;
    const verified = await product.call('GET', path, { cookie });
    expect(verified.body).toMatchObject({ valid: true, segments: [{ until_seq: count }] });

    await lose();
    const alone = await waymark(['audit', 'resume', workspaceId, '--no-refill']);
    expect(alone).toMatchObject({ code: 0, text: expect.stringContaining('; 1 held events appended') });
    expect(await entries.countDocuments(created)).toBe(1);
    expect(await waymark(['audit', 'refill'])).toMatchObject({ code: 0 });
    await eventually(async () => (await entries.countDocuments(created)) === 3);

    expect(await waymark(['audit', 'resume', '--all'])).toEqual({
      code: 0,
      text: expect.stringContaining('no audit chain is stopped'),
    });
    expect(await waymark(['audit', 'resume', workspaceId])).toEqual({
      code: 1,
      text: `the chain ${workspaceId} is not stopped`,
    });
    for (const args of [[], [workspaceId, '--all']])
      expect(await waymark(['audit', 'resume', ...args])).toMatchObject({ code: 1 });
    const away = { NATS_URL: 'nats://127.0.0.1:1' };
    expect(await waymark(['audit', 'refill'], away)).toEqual({
      code: 1,
      text: 'NATS is away: see NATS_URL and NATS_CREDS',
    });
  });
});

describe('waymark events', () => {
  it('lists parked events, replays them, and discards events that can never be handled', async () => {
    const stream = eventStream(String(product.env['NATS_PREFIX']));
    const nats = await connect({ servers: String(product.env['NATS_URL']) });
    await jetstream(nats).publish(stream.subject('decision.created'), 'no JSON');
    await nats.close();
    const listed = async () => (await waymark(['events', 'parked'])).text.split('\n');
    const parkedBy = (lines: string[]) =>
      lines.map((line) => /^\d+: (\w+), .* malformed: /.exec(line)?.[1]).sort();
    const takers = ['audit', 'event_log', 'notifications', 'search', 'webhooks'];
    const first = await eventually(async () => {
      const lines = await listed();
      expect(parkedBy(lines)).toEqual(takers);
      return lines;
    });

    expect(await waymark(['events', 'replay', '--all'])).toMatchObject({ code: 0 });
    const again = await eventually(async () => {
      const lines = await listed();
      expect(parkedBy(lines)).toEqual(takers);
      expect(lines.filter((line) => first.includes(line))).toEqual([]);
      return lines;
    });

    const numbers = again.map((line) => line.split(':')[0]!);
    expect(await waymark(['events', 'discard', ...numbers])).toMatchObject({ code: 0 });
    expect(await listed()).toEqual(['no event is parked']);
    expect(await waymark(['events', 'replay', '--all'])).toEqual({
      code: 0,
      text: expect.stringContaining('no event is parked'),
    });
    const away = { NATS_URL: 'nats://127.0.0.1:1' };
    expect(await waymark(['events', 'parked'], away)).toEqual({
      code: 1,
      text: 'NATS is away: see NATS_URL',
    });
    for (const args of [['replay', numbers[0]!], ['discard', numbers[0]!], ['replay', 'x'], ['replay']]) {
      expect(await waymark(['events', ...args])).toMatchObject({ code: 1 });
    }
  });

  it('lets a service read all events again', async () => {
    expect(await waymark(['events', 'refill', 'threads'])).toEqual({
      code: 0,
      text: 'threads reads the event stream again; waymark_consumer_lag shows how much is left',
    });
    expect(await waymark(['events', 'refill', 'nobody'])).toEqual({
      code: 1,
      text: 'there is no consumer nobody',
    });
  });
});

describe('waymark search', () => {
  it('rebuilds a lost projection from the records of the other services', async () => {
    const { key } = await product.workspace();
    const create = async (path: string, body: object) =>
      (await product.call('POST', path, { key, body })).body;
    const { id: workflowId } = await create('/workflows', { title: 'Große Straße' });
    const place = { workflowId, type: 'task', positionX: 0, positionY: 0 };
    const node = await create('/nodes', { ...place, title: 'Kerb' });
    await create(`/threads/${node.id}`, { content: 'Who paves the STRASSE?' });
    await create('/decisions', { title: 'Which straße first?' });
    const finds = (count: number) =>
      eventually(async () => {
        const { body } = await product.call('GET', '/search', { key, query: { q: 'strasse' } });
        const { nodes, decisions, workflows } = body;
        expect([nodes, decisions, workflows].map(({ length }) => length)).toEqual([count, count, count]);
      });
    await finds(1);
    for (const name of ['items', 'workspaces']) await databaseOf('search').collection(name).deleteMany({});
    await finds(0);
    expect(await waymark(['search', 'rebuild'])).toMatchObject({ code: 0 });
    await finds(1);
  });
});

describe('waymark doctor', () => {
  /** Without its finding about the disk of the machine that runs the tests. */
  async function doctor(...args: string[]) {
    const { code, text } = await waymark(['doctor', ...args]);
    const others = text.replace(/^warning: Stores: the disk of MongoDB .*\n {2}fix: .*\n?/m, '');
    return others === '' ? { code: 0, text: 'nothing found' } : { code, text: others };
  }

  it('finds nothing in a running product, and names what it finds with what fixes it', async () => {
    await eventually(async () => expect(await doctor()).toEqual({ code: 0, text: 'nothing found' }));
    const stream = eventStream(String(product.env['NATS_PREFIX']));
    const nats = await connect({ servers: String(product.env['NATS_URL']) });
    await jetstream(nats).publish(stream.subject('decision.created'), 'no JSON either');
    await nats.close();
    await eventually(async () => {
      const { code, text } = await doctor('--backup', '/nowhere');
      expect(code).toBe(3);
      expect(text.split('\n').slice(0, 4)).toEqual([
        'critical: WaymarkEventParked: events that cannot be handled are parked: 1 of audit, 1 of event_log, 1 of notifications, 1 of search, 1 of webhooks',
        '  fix: waymark events parked names the cause: discard events that no service sent (waymark events discard <numbers>); otherwise fix it, then waymark events replay --all',
        'critical: WaymarkBackupOld: /nowhere is no whole backup: it has no manifest.json',
        '  fix: waymark backup <empty folder or s3://bucket/prefix>',
      ]);
      expect(text.match(/^critical: WaymarkEventParked: /gm)).toHaveLength(1);
    });
    const status = await waymark(['status']);
    expect(status.code).toBe(3);
    expect(status.text).toMatch(/^mongodb {4}up, \d/m);
    expect(status.text).toMatch(/^redis {6}127\.0\.0\.1:\d+ up, \d/m);
    expect(status.text).toMatch(/^audit {6}.*0 events behind, 1 parked, /m);
    const findings = (await waymark(['doctor'])).text.match(/^(critical|warning): /gm)!;
    // A full disk of the machine that runs the tests is another one.
    const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
    expect(status.text).toContain(`\n${count}; run waymark doctor`);
    expect(status.text.split('\n').length).toBeLessThan(24);

    const numbers = (await waymark(['events', 'parked'])).text.split('\n').map((line) => line.split(':')[0]!);
    expect(await waymark(['events', 'discard', ...numbers])).toMatchObject({ code: 0 });
    expect(await doctor()).toMatchObject({ code: 0 });
  });

  it.each([
    ['NATS_URL', 3, 'nats://127.0.0.1:1', 'critical: WaymarkStoreDown: NATS is away: see NATS_URL'],
    [
      'REDIS_URL',
      2,
      'redis://127.0.0.1:1',
      'warning: WaymarkStoreDown: Redis at 127.0.0.1:1 does not answer: ',
    ],
    [
      'MONGODB_URL',
      3,
      'mongodb://127.0.0.1:1/?directConnection=true',
      'critical: WaymarkStoreDown: MongoDB does not answer: ',
    ],
  ])('names the store in %s that is away, and ends with %i', async (variable, exitCode, url, finding) => {
    const { code, text } = await waymark(['doctor'], { [variable]: url });
    expect(code).toBe(exitCode);
    expect(text).toContain(finding);
    expect(text).toContain(`correct ${variable}`);
    const status = await waymark(['status'], { [variable]: url });
    expect(status).toEqual({ code: exitCode, text: expect.stringContaining('away') });
  });

  it('names a MongoDB that refuses the user, and every command says so in one line', async () => {
    const url = new URL(String(product.env['MONGODB_URL']));
    const refused = { MONGODB_URL: url.href.replace('://', '://nobody:secret@') };
    const { code, text } = await waymark(['doctor'], refused);
    expect(code).toBe(3);
    expect(text).toContain('critical: WaymarkStoreDown: MongoDB does not answer: Authentication failed');
    for (const command of [
      ['migrate', '--check'],
      ['backup', '/tmp/never'],
      ['admin', 'remove-totp', 'a@b.c'],
    ])
      expect(await waymark(command, refused)).toEqual({
        code: 1,
        text: expect.stringMatching(/^.*Authentication failed\.$/),
      });
  });

  it('ends a command with a URL of MongoDB that cannot be read', async () => {
    const main = join(findRepositoryRoot(), 'apps/cli/src/main.ts');
    const args = ['--conditions=x-source', '--no-warnings', main, 'admin', 'remove-totp', 'a@b.c'];
    const env = { ...process.env, ...product.env, MONGODB_URL: 'mongdb://127.0.0.1/' };
    const command = spawn(process.execPath, args, { env, stdio: 'ignore' });
    expect(await once(command, 'exit')).toEqual([1, null]);
  });

  it('says how to write REDIS_URL, without the password in it', async () => {
    const ended = await waymark(['doctor'], { REDIS_URL: 'redis://waymark:pass/word@redis:6379' });
    expect(ended.code).toBe(2);
    expect(ended.text).toContain('credentials before the host, as user:password@, are percent-encoded');
    expect(ended.text).not.toContain('pass/word');
  });
});
