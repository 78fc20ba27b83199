import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH, limits, MEBIBYTE, newId, type ServiceName } from '@waymark/contracts';
import { startGateway } from '@waymark/gateway';
import { startSearch } from '@waymark/search';
import type { RunningService } from '@waymark/service-kit/process';
import {
  type Answer,
  eventually,
  hang,
  httpCall,
  type Stack,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { HELD, HELD_BODY, type HoldingProxy, startHoldingProxy } from './support/holding-proxy.ts';
import { startProduct } from './support/product.ts';
import type { Workspace } from './support/records.ts';

/**
 * Attacks each bounded resource with 30 accounts of one network, and with one account that has 30 workspaces.
 * A bystander of another network uses the resource meanwhile, and nothing is refused.
 */
const ATTACKERS = 30;
const USES = 30;
/** Half of the scans of a process: one user or network leaves the other half. */
const SCANS_OF_GROUP = 8;
/** Of each attacker; together more than three eighths of what a gateway has for a service. */
const TRIES = 8;

interface Attacker extends Workspace {
  address: string;
  /** The newest event of the workspace. */
  newest?: string;
}

/** The beginning of a request; the rest of its body follows a byte a second. */
interface Try {
  method?: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** With the session instead of the key, which may not read settings. */
  bySession?: boolean;
  bytes?: number;
  begun?: Buffer;
}

interface Attack {
  service: ServiceName;
  /** The bounded resources, as their metrics name them. */
  resources: string[];
  tries?: number;
  prepare?: (by: Attacker) => Promise<void>;
  attempt?: (by: Attacker) => Try;
  /** Instead of `attempt`, if the attack is not made of requests that last. */
  run?: (attackers: Attacker[]) => Promise<() => Promise<void>>;
  /** Whether the attackers have all that they can get. Default: some of them are refused. */
  isFull?: () => Promise<boolean>;
  /** Uses the resource as the bystander, and throws unless that succeeds. */
  use: () => Promise<unknown>;
}

let product: Stack;
let mongo: MongoClient;
let receivers: Record<'mine' | 'theirs', WebhookReceiver>;
let proxies: Partial<Record<ServiceName | 'mongodb', HoldingProxy>>;
let mine: Workspace;
let node: string;
let workflow: string;
let attackers: Record<string, Attacker[]>;

const TWO_PARTS = JSON.stringify({ title: 'In two parts' });
const MIB_GRAPH = JSON.stringify({ nodes: [], edges: [] }).padEnd(1.2 * MEBIBYTE);
const SERVICES = {
  accounts: () => '/members',
  decisions: () => '/decisions',
  workflows: () => '/workflows',
  threads: () => `/threads/${node}`,
  search: () => '/search?q=word',
  audit: () => '/audit-log',
  webhooks: () => '/webhooks',
  transfer: () => '/export',
  notifications: () => '/notifications',
} as const satisfies Record<Exclude<ServiceName, 'gateway'>, () => string>;

beforeAll(async () => {
  proxies = {};
  /** Puts a proxy in front of each service that the gateway calls. */
  const gateway: typeof startGateway = async (env, ...rest) => {
    const own: Record<string, string> = {};
    for (const service of Object.keys(SERVICES) as (keyof typeof SERVICES)[]) {
      const name = `${service.toUpperCase()}_URL`;
      const proxy = await startHoldingProxy(Number(new URL(env[name]!).port));
      proxies[service] = proxy;
      own[name] = `http://127.0.0.1:${proxy.port}`;
    }
    return startGateway({ ...env, ...own }, ...rest);
  };
  const search: typeof startSearch = async (env, seams) => {
    const url = new URL(env['MONGODB_URL']!);
    const proxy = await startHoldingProxy(Number(url.port));
    proxies.mongodb = proxy;
    return startSearch(
      { ...env, MONGODB_URL: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` },
      seams,
    );
  };
  product = await startProduct(
    {
      TRUSTED_PROXIES: '127.0.0.1',
      BODY_TIMEOUT_MS: '600000',
      SIGN_UPS_PER_HOUR: String(ATTACKERS),
      // Too small for an index of the bystander's workspace, so that its searches scan.
      INDEX_MEBIBYTES: '16',
    },
    {},
    { gateway, search },
  );
  mongo = new MongoClient(String(product.env['MONGODB_URL']));
  receivers = { mine: await startWebhookReceiver(), theirs: await startWebhookReceiver() };
  receivers.theirs.behave(hang());
  mine = await product.workspace();
  workflow = await created('/workflows', mine, { title: 'An empty workflow' });
  const workflowId = await created('/workflows', mine, { title: 'A workflow' });
  const place = { workflowId, type: 'task', positionX: 0, positionY: 0 };
  node = await created('/nodes', mine, { title: 'A node', ...place });
  await addWebhook(mine, receivers.mine);
  await fillProjection(mine);
  attackers = {
    'accounts of one network': await manyAccounts(),
    'workspaces of one account': await manyWorkspaces(),
  };
  for (const attacker of Object.values(attackers).flat())
    await created('/decisions', attacker, { title: 'aaa' });
});
afterAll(async () => {
  await product.stop();
  await mongo.close();
  await Promise.all([...Object.values(proxies), ...Object.values(receivers)].map((one) => one.stop()));
});

const as = (by: Pick<Attacker, 'key' | 'cookie'> & { address?: string }, bySession = false) => ({
  ...(bySession ? { cookie: by.cookie } : { authorization: `Bearer ${by.key}` }),
  ...(by.address && { 'x-forwarded-for': by.address }),
});

async function created(path: string, by: Workspace & { address?: string }, body: object): Promise<string> {
  const answer = await product.call('POST', path, {
    headers: as(by),
    body: { workspaceId: by.workspaceId, ...body },
  });
  return expectSuccess(answer).body.id;
}

function expectSuccess(answer: Answer): Answer {
  expect(answer.status < 300 ? '' : answer.text).toBe('');
  return answer;
}

async function signUp(address: string): Promise<Answer> {
  const body = { email: `${newId()}@example.com`, password: 'correct horse battery', name: 'Mallory' };
  return product.call('POST', '/auth/sign-up', { headers: { 'x-forwarded-for': address }, body });
}

async function attacker(address: string, answer: Answer, workspaceId: string): Promise<Attacker> {
  const cookie = answer.cookies[0]!.split(';')[0]!;
  const key = await product.createKey({ workspaceId, cookie });
  return { userId: answer.body.user.id, email: '', password: '', cookie, workspaceId, key, address };
}

async function manyAccounts(): Promise<Attacker[]> {
  const all: Attacker[] = [];
  for (let n = 0; n < ATTACKERS; n += 1) {
    const answer = await signUp('192.0.2.1');
    all.push(await attacker('192.0.2.1', answer, answer.body.workspaces[0].id));
  }
  return all;
}

/** Each request comes from another network, so that only the account is the same. */
async function manyWorkspaces(): Promise<Attacker[]> {
  const answer = await signUp('198.51.100.0');
  const all: Attacker[] = [];
  for (let n = 0; n < ATTACKERS; n += 1) {
    const cookie = answer.cookies[0]!.split(';')[0]!;
    const made = await product.call('POST', '/workspaces', { cookie, body: { name: `Workspace ${n}` } });
    all.push(await attacker(`198.51.100.${n}`, answer, made.body.id));
  }
  return all;
}

async function addWebhook({ cookie, workspaceId }: Workspace, { url }: WebhookReceiver): Promise<string> {
  const body = { workspaceId, url, events: ['decision.created'] };
  return expectSuccess(await product.call('POST', '/webhooks', { cookie, body })).body.id;
}

/** Writes more text to the projection than an index may take. */
async function fillProjection({ workspaceId }: Workspace): Promise<void> {
  const items = mongo.db(`${product.env['NATS_PREFIX']}_search`).collection('items');
  const payload = JSON.stringify({
    fields: [['title', 'word']],
    shown: { title: 'word', status: 'proposed' },
  });
  const folded = `word${'a'.repeat(2 * MEBIBYTE)}`;
  for (let n = 1; n <= 10; n += 1) {
    const id = newId();
    const record = { kind: 'decision', id, version: 1, revision: 1, created_ms: n, position: 1_000 + n };
    const _id = `${workspaceId}/decision/${id}` as never;
    await items.insertOne({ _id, workspace_id: workspaceId, ...record, folded, payload });
  }
}

/** Returns the lines of a metric, of one process or of all. */
async function metricLines(name: string, of = Object.values(product.running)): Promise<string[]> {
  const scrape = ({ adminPort }: RunningService) =>
    httpCall(`http://127.0.0.1:${adminPort}`, 'GET', '/metrics');
  const texts = await Promise.all(of.map(scrape));
  return texts.flatMap(({ text }) => text.split('\n')).filter((line) => line.startsWith(`${name}{`));
}

/** Returns the value of a metric of a resource in the process that is attacked. */
async function sumOf(name: string, resource: string): Promise<number> {
  const { service } = attacks.find(({ resources }) => resources.includes(resource))!;
  const lines = await metricLines(name, [product.running[service]!]);
  const values = lines.filter((line) => line.includes(`resource="${resource}"`));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const held = (resource: string) => sumOf('waymark_admission_held', resource);
const refused = (resource: string) => sumOf('waymark_admission_refused_total', resource);

/** Sends the tries of all attackers, and those that ended again. Returns what ends them. */
function send(by: readonly Attacker[], { attempt, tries = TRIES }: Attack): () => void {
  const open = new Set<http.ClientRequest>();
  let isOver = false;
  function begin(attacker: Attacker): void {
    const { method = 'GET', path, query, headers, bySession, bytes = 0, begun } = attempt!(attacker);
    // The MCP server takes the workspace from the key, and refuses unknown parameters.
    const workspace = path.startsWith(BASE_PATH) && { workspaceId: attacker.workspaceId };
    const search = new URLSearchParams({ ...workspace, ...query });
    const body = bytes > 0 && { 'content-type': 'application/json', 'content-length': bytes };
    const request = http.request(`${product.url}${path}${path.includes('?') ? '&' : '?'}${search}`, {
      method,
      agent: false,
      headers: { ...as(attacker, bySession), ...body, ...headers },
    });
    open.add(request);
    request.on('error', () => undefined);
    request.on('response', (response) => {
      response.on('error', () => undefined).resume();
      response.on('end', () => {
        open.delete(request);
        request.destroy();
        if (!isOver && response.statusCode === 200) begin(attacker);
      });
    });
    if (bytes === (begun?.length ?? 0)) request.end(begun);
    else request.write(begun ?? ' ');
  }
  for (let n = 0; n < tries; n += 1) for (const attacker of by) begin(attacker);
  const bytes = setInterval(() => {
    for (const request of open) if (!request.writableEnded) request.write(' ');
  }, 1_000);
  return () => {
    isOver = true;
    clearInterval(bytes);
    for (const request of open) request.destroy();
  };
}

const call = (method: string, path: string, input: object = {}) =>
  product.call(method, path, { key: mine.key, ...input }).then(expectSuccess);

const ofService = (service: keyof typeof SERVICES): Attack => ({
  service: 'gateway',
  resources: [`requests_to_${service}`],
  attempt: () => ({
    path: BASE_PATH + SERVICES[service](),
    headers: { 'x-request-id': `${HELD}-${newId()}` },
    bySession: true,
  }),
  use: () => product.call('GET', SERVICES[service](), asOwner()).then(expectSuccess),
});
const asOwner = () => ({ cookie: mine.cookie, query: { workspaceId: mine.workspaceId } });

/** Sends a body in two parts, so that the gateway waits for the second. */
function sendInParts(method: string, path: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...as(mine), 'content-type': 'application/json', 'content-length': body.length };
    const request = http.request(product.url + BASE_PATH + path, { method, agent: false, headers });
    request.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode! < 300) resolve();
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    request.write(body.slice(0, 1), () => setImmediate(() => request.end(body.slice(1))));
  });
}

const putGraph = (body: string) =>
  sendInParts('PUT', `/workflows/${workflow}/graph?workspaceId=${mine.workspaceId}`, body);

function openStream(): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = `${BASE_PATH}/events?workspaceId=${mine.workspaceId}`;
    const request = http.get(product.url + path, { agent: false, headers: as(mine) }, (response) => {
      request.destroy();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`the stream answered ${response.statusCode}`));
    });
    request.on('error', reject);
  });
}

async function waitForEvent(): Promise<void> {
  const query = { workspaceId: mine.workspaceId, wait: 10 };
  const { newest } = (await call('GET', '/event-log', { query: { ...query, wait: 0 } })).body;
  const [answer] = await Promise.all([
    call('GET', '/event-log', { query: { ...query, after: newest } }),
    created('/decisions', mine, { title: 'Awaited' }),
  ]);
  expect(answer.body.data.length).toBeGreaterThan(0);
}

async function receiveDelivery(): Promise<void> {
  const id = await created('/decisions', mine, { title: 'Delivered' });
  await eventually(() => receivers.mine.requests.some(({ body }) => body.data.id === id));
}

const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const toolCall = Buffer.from(
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_decisions', arguments: {} },
  }),
);

/** Makes many deliveries to an endpoint of each workspace that never answers. */
async function deliver(by: Attacker[]): Promise<() => Promise<void>> {
  const endpoints = await Promise.all(by.map((one) => addWebhook(one, receivers.theirs)));
  const operations = Array.from({ length: 40 }, () => ({
    operation: 'createDecision',
    body: { title: 'x' },
  }));
  for (const one of by) {
    const headers = { ...as(one), 'Batch-Size': String(operations.length) };
    expectSuccess(await product.call('POST', '/batch', { headers, body: { operations } }));
  }
  return async () => {
    for (const [n, { cookie, workspaceId }] of by.entries())
      await product.call('DELETE', `/webhooks/${endpoints[n]}`, { cookie, query: { workspaceId } });
    receivers.theirs.behave((_, response) => response.destroy());
    await receivers.theirs.stop();
    receivers.theirs = await startWebhookReceiver();
    receivers.theirs.behave(hang());
  };
}

const attacks: Attack[] = [
  ...(Object.keys(SERVICES) as (keyof typeof SERVICES)[]).map(ofService),
  {
    service: 'gateway',
    resources: ['uploads'],
    attempt: () => ({ method: 'POST', path: `${BASE_PATH}/decisions`, bytes: 1_000 }),
    use: () => sendInParts('POST', `/decisions?workspaceId=${mine.workspaceId}`, TWO_PARTS),
  },
  {
    service: 'gateway',
    resources: ['upload_bytes'],
    tries: 1,
    attempt: () => ({
      method: 'PUT',
      path: `${BASE_PATH}/workflows/${newId()}/graph`,
      bytes: limits.graphBodyBytes,
      begun: Buffer.alloc(4 * MEBIBYTE, ' '),
    }),
    use: () => putGraph(MIB_GRAPH.slice(0, MEBIBYTE)),
  },
  {
    service: 'workflows',
    resources: ['large_requests'],
    tries: 1,
    attempt: () => ({
      method: 'PUT',
      path: `${BASE_PATH}/workflows/${newId()}/graph`,
      headers: { 'x-request-id': `${HELD_BODY}-${newId()}` },
      bytes: MIB_GRAPH.length,
      begun: Buffer.from(MIB_GRAPH),
    }),
    isFull: async () => (await held('large_requests')) === 1 && proxies.workflows!.held() > 2,
    use: () => putGraph(MIB_GRAPH),
  },
  {
    service: 'gateway',
    resources: ['event_streams'],
    tries: limits.eventStreamsPerCaller + 1,
    attempt: () => ({ path: `${BASE_PATH}/events` }),
    use: openStream,
  },
  {
    service: 'audit',
    resources: ['event_log_waits'],
    async prepare(by) {
      const query = { workspaceId: by.workspaceId };
      by.newest = String((await product.call('GET', '/event-log', { key: by.key, query })).body.newest);
    },
    attempt: ({ newest }) => ({ path: `${BASE_PATH}/event-log`, query: { after: newest!, wait: '10' } }),
    use: waitForEvent,
  },
  {
    service: 'search',
    resources: ['scans'],
    // The service folds the text, so that its reads are held back and the request is not.
    tries: 2,
    attempt: () => ({ path: `${BASE_PATH}/search`, query: { q: HELD.toUpperCase() } }),
    isFull: async () => (await held('scans')) === SCANS_OF_GROUP,
    use: () => call('GET', '/search', { query: { workspaceId: mine.workspaceId, q: 'word' } }),
  },
  {
    service: 'gateway',
    resources: ['mcp'],
    attempt: () => ({
      method: 'POST',
      path: '/mcp',
      headers: { ...MCP, 'x-request-id': `${HELD}-${newId()}` },
      bytes: toolCall.length,
      begun: toolCall,
    }),
    use: async () => {
      const answer = await httpCall(product.url, 'POST', '/mcp', {
        headers: { ...as(mine), ...MCP },
        rawBody: toolCall,
      });
      expect(expectSuccess(answer).body.result.isError).not.toBe(true);
    },
  },
  {
    service: 'webhooks',
    resources: ['webhook_attempts', 'webhook_payloads'],
    run: deliver,
    isFull: async () => receivers.theirs.open() >= ATTACKERS * 4,
    use: receiveDelivery,
  },
];

it('attacks every bounded resource of the product', async () => {
  const lines = await metricLines('waymark_admission_held');
  const found = new Set(lines.map((line) => /resource="(\w+)"/.exec(line)![1]));
  expect([...found].sort()).toEqual(attacks.flatMap(({ resources }) => resources).sort());
});

describe.each(attacks.map((attack) => [attack.resources.join(' and '), attack] as const))(
  '%s',
  (_, attack) => {
    const [resource] = attack.resources as [string];
    const {
      run = async (by: Attacker[]) => {
        for (const one of by) await attack.prepare?.(one);
        const end = send(by, attack);
        return async () => end();
      },
    } = attack;

    it.each(['accounts of one network', 'workspaces of one account'])(
      'serves others beside many %s',
      async (name) => {
        await attack.use();
        const before = await refused(resource);
        const { isFull = async () => (await refused(resource)) > before } = attack;
        const end = await run(attackers[name]!);
        try {
          await eventually(isFull);
          for (const each of attack.resources) expect(await held(each)).toBeGreaterThan(0);
          for (let n = 0; n < USES; n += 1) await attack.use();
        } finally {
          await end();
        }
        for (const each of attack.resources)
          await eventually(async () => {
            // What waited in a queue may begin before the service knows that its client is gone.
            for (const proxy of Object.values(proxies)) proxy.drop();
            expect(await held(each)).toBe(0);
          });
      },
    );
  },
);

it('accepts accounts of other networks beside one that has made many', async () => {
  expect(await signUp('192.0.2.1')).toMatchObject({ status: 429 });
  expect((await signUp('203.0.113.1')).status).toBe(201);
});
