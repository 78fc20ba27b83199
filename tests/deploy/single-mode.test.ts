import { afterAll, describe, expect, it } from '@jest/globals';
import { connect as connectToNats } from '@nats-io/transport-node';
import { BASE_PATH, eventStream, eventTypes, publisherOf } from '@waymark/contracts';
import { observeRedis } from '@waymark/gateway/operator';
import { findRepositoryRoot, freePort, type ManagedProcess } from '@waymark/local-stack';
import {
  acceptedSubjects,
  answer,
  eventually,
  httpCall,
  startWebhookReceiver,
  testFolder,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { observeAccess } from '../../apps/cli/src/health/access.ts';
import { type NewWorkspace, newWorkspace } from '../../dev/new-workspace.ts';
import { type RunningServices, startInOneProcess, startServices } from '../../dev/services.ts';
import { names } from './support/manifests.ts';
import { prepareTools } from './support/render-chart.ts';
import { startChartStores } from './support/start-chart-stores.ts';

const DECISIONS = 40;
const MESSAGES = 5;
/** Of tests/deploy/values/single.yaml. */
const NATS_PREFIX = 'blue';

const folder = testFolder();
let one: ManagedProcess | undefined;
let many: RunningServices | undefined;
await prepareTools();
const receiver = await startWebhookReceiver();
const stores = await startChartStores('single', folder);
const port = await freePort();
afterAll(async () => {
  await one?.stop();
  await many?.stop();
  await stores.stop();
  await receiver.stop();
});

const options = () => ({
  root: findRepositoryRoot(),
  port,
  stores: {
    mongoUrl: stores.secrets['MONGODB_URL']!,
    redisUrl: stores.secrets['REDIS_URL']!,
    natsUrl: stores.secrets['NATS_URL']!,
  },
  secrets: stores.secrets,
  logDirectory: folder,
  env: {
    LIMIT_SCALE: '1000',
    WEBHOOK_RETRY_DELAYS_SECONDS: '5',
    WEBHOOK_MAX_ATTEMPTS: '20',
    LOG_LEVEL: 'info',
    NATS_PREFIX,
  },
});

describe('the stores of the chart', () => {
  const withoutPassword = (name: string) => stores.secrets[name]!.replace(/\/\/[^@]+@/, '//');

  it('refuse whoever has no password', async () => {
    const mongo = new MongoClient(withoutPassword('MONGODB_URL'));
    const reading = mongo.db('waymark_accounts').collection('users').findOne();
    await expect(reading).rejects.toMatchObject({ codeName: 'Unauthorized' });
    const creating = mongo.db('admin').command({ createUser: 'intruder', pwd: 'x', roles: ['root'] });
    await expect(creating).rejects.toMatchObject({ codeName: 'Unauthorized' });
    await mongo.close();
    const [redis] = Object.values(await observeRedis({ REDIS_URL: withoutPassword('REDIS_URL') }));
    expect(redis).toEqual({ away: expect.stringContaining('NOAUTH') });
    const servers = withoutPassword('NATS_URL');
    await expect(connectToNats({ servers, reconnect: false })).rejects.toThrow(/authorization violation/i);
  });

  it('let each service publish its own subjects of NATS alone', async () => {
    const { subject, invalidations } = eventStream(NATS_PREFIX);
    for (const name of names) {
      const url = stores.secrets[`${name.toUpperCase()}_NATS_URL`]!;
      const own = eventTypes.filter((type) => publisherOf(type) === name).map(subject);
      if (name === 'accounts') own.push(invalidations);
      const all = [...eventTypes.map(subject), invalidations];
      const accepted = await acceptedSubjects(url, stores.secrets['NATS_URL']!, all);
      expect([name, accepted]).toEqual([name, own]);
    }
  });
});

describe('waymark doctor', () => {
  const access = async (env: Record<string, string>) => (await observeAccess(env, [])).withoutPassword;

  it('finds stores that ignore their passwords, and none among those of the chart', async () => {
    const { MONGODB_URL, REDIS_URL, NATS_URL } = stores.secrets as Record<string, string>;
    expect(await access({ MONGODB_URL, REDIS_URL, NATS_URL } as Record<string, string>)).toEqual([]);
    const ofTests = Object.fromEntries(
      ['MONGODB_URL', 'REDIS_URL', 'NATS_URL'].map((name) => {
        return [name, process.env[name]!.replace('//', '//waymark:secret@')];
      }),
    );
    expect(await access(ofTests)).toEqual(['MONGODB_URL', 'REDIS_URL', 'NATS_URL']);
  });
});

describe('from waymark all to a process for each service', () => {
  let workspace: NewWorkspace;
  let webhookId: string;
  const call = (method: string, path: string, body?: object, query: Record<string, string> = {}) =>
    httpCall(`http://localhost:${port}${BASE_PATH}`, method, path, {
      headers: { cookie: workspace.cookie },
      query: method === 'GET' ? { workspaceId: workspace.workspaceId, ...query } : query,
      ...(body && { body }),
    });
  async function create(path: string, body: object) {
    const { workspaceId } = workspace;
    const isOfNode = path.startsWith('/threads/');
    const created = await call('POST', path, isOfNode ? body : { workspaceId, ...body });
    expect([path, created.status]).toEqual([path, 201]);
    return created.body;
  }
  async function read(path: string, query: Record<string, string> = {}) {
    const found = await call('GET', path, undefined, query);
    expect([path, found.status]).toEqual([path, 200]);
    return found.body;
  }
  /** Everything that the workspace has, as its members read it. */
  async function contents() {
    const exported = await call('GET', '/export');
    const lines = exported.text.trim().split('\n').slice(1, -1);
    const settings = ['/members', '/api-keys', '/webhooks', '/invitations'];
    const { decisions } = await read('/search', { q: 'number 7' });
    return {
      records: lines.sort(),
      settings: await Promise.all(settings.map((path) => read(path))),
      found: decisions.map(({ id }: { id: string }) => id),
    };
  }
  const deliveries = async () => (await read(`/webhooks/${webhookId}/deliveries`)).data;

  it('keeps every record, every chain and every pending delivery', async () => {
    ({ running: one } = await startInOneProcess(options()));
    const baseUrl = `http://localhost:${port}${BASE_PATH}`;
    workspace = await newWorkspace(baseUrl, 'ada');
    const numbers = Array.from({ length: DECISIONS }, (_, number) => number);
    for (const number of numbers) await create('/decisions', { title: `Decision number ${number}` });
    const workflow = await create('/workflows', { title: 'The move' });
    const position = { positionX: 0, positionY: 0 };
    const node = await create('/nodes', {
      workflowId: workflow.id,
      type: 'task',
      title: 'Pack',
      ...position,
    });
    for (const number of numbers.slice(0, MESSAGES))
      await create(`/threads/${node.id}`, { content: `Box ${number}` });
    await create('/invitations', { email: 'grace@example.com', role: 'member' });
    receiver.behave(answer(503));
    ({ id: webhookId } = await create('/webhooks', { url: receiver.url, events: ['decision.created'] }));
    await create('/decisions', { title: 'Announced after the move' });
    await eventually(async () => expect((await deliveries())[0]).toMatchObject({ status: 'pending' }));
    await eventually(async () =>
      expect((await read('/search', { q: 'number 7' })).decisions).toHaveLength(1),
    );
    const before = await contents();
    const { entries } = await read('/audit-log/verify');
    const [{ id: pending }] = await deliveries();

    expect(await one.stop(20_000)).toEqual({ code: 0, signal: null });
    one = undefined;
    many = await startServices(options());

    expect(await contents()).toEqual(before);
    receiver.behave(answer(204));
    await eventually(async () =>
      expect(await deliveries()).toEqual([expect.objectContaining({ id: pending, status: 'delivered' })]),
    );
    const received = receiver.requests.filter(({ headers }) => headers['webhook-id'] === pending);
    expect(received.length).toBeGreaterThan(1);
    expect(new Set(received.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
    await create('/decisions', { title: 'Written after the move' });
    const creations = async () => {
      const { data } = await read('/audit-log', { limit: '100' });
      return data.filter(({ action }: { action: string }) => action === 'decision.create');
    };
    // Those before the stop, also if audit had not stored them yet, the announced one, and one more.
    await eventually(async () => expect(await creations()).toHaveLength(DECISIONS + 2));
    const verified = await read('/audit-log/verify');
    expect(verified).toMatchObject({ valid: true, stopped: null });
    expect(verified.entries).toBeGreaterThan(entries);
  });
});
