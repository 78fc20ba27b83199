import http from 'node:http';
import net from 'node:net';
import { BASE_PATH, limits, MEBIBYTE, newId, type ServiceName } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import { eventually, hang, httpCall, startWebhookReceiver } from '@waymark/testing';
import { HELD, HELD_BODY, HELD_RESPONSE } from '../holding-proxy.ts';
import {
  ATTACKERS,
  type AttackedProduct,
  type Attacker,
  addWebhook,
  as,
  createLargeWorkflow,
  storing,
  succeeded,
} from './attacked-product.ts';

/** What one account may have; many of a network have one or two more. */
const WORKSPACE_SCANS_OF_USER = 2;
const SCANNED = 'read-for-long';
const PAGES_OF_USER = 3;
/** Makes graphs of 15 MiB: the system alone holds less of what is unread. */
const LARGE_NODES = 256;
/** Three of these; one user or network may leave a fourth unread. */
const UNREAD_OF_GROUP = 40 * MEBIBYTE;
const LISTED = 'listed-for-long';
/** Deliveries of one workspace at once. */
const IN_FLIGHT = 4;
/** More than the share of a network. */
const CONNECTIONS = 7_000;
/** Of each attacker; together more than three eighths of what a gateway has for a service. */
const TRIES = 8;

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

export interface Attack {
  service: ServiceName;
  /** The bounded resources, as their metrics name them. */
  resources: string[];
  /** The attackers are an address alone, without an account. */
  isByAddress?: true;
  /** Begins the attack, and returns what ends it. */
  run: (attackers: Attacker[]) => Promise<() => Promise<void>>;
  /** Whether the attackers have all that they can get. */
  isFull: () => Promise<boolean>;
  /** Uses the resource as the bystander, and throws unless that succeeds. */
  use: () => Promise<unknown>;
}

/** As Attack, but for what most attacks have in common. */
interface Given extends Omit<Attack, 'run' | 'isFull'>, Partial<Pick<Attack, 'run' | 'isFull'>> {
  tries?: number;
  /** How many of the attackers take part. Default: all. */
  attackers?: number;
  prepare?: (by: Attacker) => Promise<void>;
  attempt?: (by: Attacker) => Try;
}

const TWO_PARTS = JSON.stringify({ title: 'In two parts' });
const MIB_GRAPH = JSON.stringify({ nodes: [], edges: [] }).padEnd(1.2 * MEBIBYTE);
const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const toolCall = Buffer.from(
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_decisions', arguments: {} },
  }),
);

/** Attacks on all bounded resources of the product. `at` is complete when one begins. */
export function attacksOn(at: AttackedProduct) {
  const paths: Record<(typeof storing)[number], () => string> = {
    accounts: () => '/members',
    decisions: () => '/decisions',
    workflows: () => '/workflows',
    threads: () => `/threads/${at.node}`,
    search: () => '/search?q=word',
    audit: () => '/audit-log',
    webhooks: () => '/webhooks',
    transfer: () => '/export',
    notifications: () => '/notifications',
  };

  /** Returns the lines of a metric, of one process or of all. */
  async function metricLines(name: string, of = Object.values(at.product.running)): Promise<string[]> {
    const scrape = ({ adminPort }: RunningService) =>
      httpCall(`http://127.0.0.1:${adminPort}`, 'GET', '/metrics');
    const texts = await Promise.all(of.map(scrape));
    return texts.flatMap(({ text }) => text.split('\n')).filter((line) => line.startsWith(`${name}{`));
  }

  /** Returns the value of a metric of a resource in the process that is attacked. */
  async function sumOf(name: string, resource: string): Promise<number> {
    const { service } = attacks.find(({ resources }) => resources.includes(resource))!;
    const lines = await metricLines(name, [at.product.running[service]!]);
    const values = lines.filter((line) => line.includes(`resource="${resource}"`));
    return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  const held = (resource: string) => sumOf('waymark_admission_held', resource);
  const refused = (resource: string) => sumOf('waymark_admission_refused_total', resource);

  /** Sends the tries of all attackers, and those that ended again. Returns what ends them. */
  function send(by: readonly Attacker[], { attempt, tries = TRIES, attackers }: Given): () => void {
    const open = new Set<http.ClientRequest>();
    let isOver = false;
    function begin(attacker: Attacker): void {
      const { method = 'GET', path, query, headers, bySession, bytes = 0, begun } = attempt!(attacker);
      // The MCP server takes the workspace from the key, and refuses unknown parameters.
      const workspace = path.startsWith(BASE_PATH) && { workspaceId: attacker.workspaceId };
      const search = new URLSearchParams({ ...workspace, ...query });
      const body = bytes > 0 && { 'content-type': 'application/json', 'content-length': bytes };
      const request = http.request(`${at.product.url}${path}${path.includes('?') ? '&' : '?'}${search}`, {
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
    for (let n = 0; n < tries; n += 1) for (const attacker of by.slice(0, attackers)) begin(attacker);
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
    at.product.call(method, path, { key: at.mine.key, ...input }).then(succeeded);

  const ofService = (service: (typeof storing)[number]): Given => ({
    service: 'gateway',
    resources: [`requests_to_${service}`],
    attempt: () => ({
      path: BASE_PATH + paths[service](),
      headers: { 'x-request-id': `${HELD}-${newId()}` },
      bySession: true,
    }),
    use: () => at.product.call('GET', paths[service](), asOwner()).then(succeeded),
  });
  const asOwner = () => ({ cookie: at.mine.cookie, query: { workspaceId: at.mine.workspaceId } });

  /** Sends a body in two parts, so that the gateway waits for the second. */
  function sendInParts(method: string, path: string, body: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { ...as(at.mine), 'content-type': 'application/json', 'content-length': body.length };
      const request = http.request(at.product.url + BASE_PATH + path, { method, agent: false, headers });
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
    sendInParts('PUT', `/workflows/${at.workflow}/graph?workspaceId=${at.mine.workspaceId}`, body);

  function openStream(): Promise<void> {
    return new Promise((resolve, reject) => {
      const path = `${BASE_PATH}/events?workspaceId=${at.mine.workspaceId}`;
      const request = http.get(at.product.url + path, { agent: false, headers: as(at.mine) }, (response) => {
        request.destroy();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the stream answered ${response.statusCode}`));
      });
      request.on('error', reject);
    });
  }

  async function waitForEvent(): Promise<void> {
    const query = { workspaceId: at.mine.workspaceId, wait: 10 };
    const { newest } = (await call('GET', '/event-log', { query: { ...query, wait: 0 } })).body;
    const next = () => call('GET', '/event-log', { query: { ...query, after: newest } });
    const [first] = await Promise.all([next(), at.created('/decisions', at.mine, { title: 'Awaited' })]);
    // As clients do, it asks again: on a busy machine the event may take longer than one wait.
    if (first.body.data.length === 0) await eventually(async () => (await next()).body.data.length > 0);
  }

  async function receiveDelivery(): Promise<void> {
    const id = await at.created('/decisions', at.mine, { title: 'Delivered' });
    await eventually(() => at.receivers.mine.requests.some(({ body }) => body.data.id === id));
  }

  /** Makes more deliveries than may be in flight to an endpoint of each workspace that never answers. */
  async function deliver(by: Attacker[]): Promise<() => Promise<void>> {
    const endpoints = await Promise.all(by.map((one) => addWebhook(at.product, one, at.receivers.theirs)));
    const create = { operation: 'createDecision', body: { title: 'x' } };
    const operations = Array.from({ length: 3 * IN_FLIGHT }, () => create);
    for (const one of by) {
      const headers = { ...as(one), 'Batch-Size': String(operations.length) };
      succeeded(await at.product.call('POST', '/batch', { headers, body: { operations } }));
    }
    return async () => {
      for (const [n, { cookie, workspaceId }] of by.entries())
        await at.product.call('DELETE', `/webhooks/${endpoints[n]}`, { cookie, query: { workspaceId } });
      at.receivers.theirs.behave((_, response) => response.destroy());
      await at.receivers.theirs.stop();
      at.receivers.theirs = await startWebhookReceiver();
      at.receivers.theirs.behave(hang());
    };
  }

  /** Opens connections from an address that is no trusted proxy; after one request, each may stay open. */
  async function connect(): Promise<() => Promise<void>> {
    const from = { host: '127.0.0.1', port: Number(new URL(at.product.url).port), localAddress: '127.0.0.2' };
    const sockets: net.Socket[] = [];
    while (sockets.length < CONNECTIONS) {
      const socket = net.connect(from).on('error', () => undefined);
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      // The system drops connections that arrive faster than the process accepts them.
      if (sockets.push(socket) % 256 === 0)
        await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    }
    return async () => {
      for (const socket of sockets) socket.destroy();
    };
  }

  const openConnection = () =>
    new Promise<void>((resolve, reject) => {
      const options = { agent: false, localAddress: '127.0.0.3' };
      const request = http.get(`${at.product.url}/healthz`, options, (response) => {
        response.resume().on('end', resolve);
      });
      request.on('error', reject);
    });

  const exporting: Given = {
    service: 'transfer',
    resources: ['export_pages'],
    attempt: () => ({ path: `${BASE_PATH}/export` }),
    use: () => call('GET', '/export', { query: { workspaceId: at.mine.workspaceId } }),
  };

  const scanning: Given = {
    service: 'decisions',
    resources: ['workspace_scans'],
    attempt: () => ({ path: `${BASE_PATH}/decisions`, query: { text: SCANNED } }),
    use: () => call('GET', '/metrics', { query: { workspaceId: at.mine.workspaceId, include: 'history' } }),
  };

  const listing: Given = {
    service: 'decisions',
    resources: ['pages'],
    attempt: () => ({ path: `${BASE_PATH}/decisions`, query: { type: LISTED } }),
    use: () => call('GET', '/decisions', { query: { workspaceId: at.mine.workspaceId } }),
  };

  /** Sends requests whose reads MongoDB alone holds back, not the way to the service. */
  async function holdReads(by: Attacker[], attack: Given, text: string): Promise<() => Promise<void>> {
    for (const proxy of at.toMongo) proxy.hold([text]);
    const end = send(by, { ...attack, tries: 2 });
    return async () => {
      end();
      for (const proxy of at.toMongo) proxy.hold([]);
    };
  }

  const given: Given[] = [
    { service: 'gateway', resources: ['connections'], isByAddress: true, run: connect, use: openConnection },
    ...storing.map(ofService),
    {
      service: 'gateway',
      resources: ['uploads'],
      attempt: () => ({ method: 'POST', path: `${BASE_PATH}/decisions`, bytes: 1_000 }),
      use: () => sendInParts('POST', `/decisions?workspaceId=${at.mine.workspaceId}`, TWO_PARTS),
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
      // Their bodies fit into the memory for uploads together: it refuses more, and all of them if they
      // arrive at the same time.
      attackers: 16,
      attempt: () => ({
        method: 'PUT',
        path: `${BASE_PATH}/workflows/${newId()}/graph`,
        headers: { 'x-request-id': `${HELD_BODY}-${newId()}` },
        bytes: MIB_GRAPH.length,
        begun: Buffer.from(MIB_GRAPH),
      }),
      isFull: async () => (await held('large_requests')) === 1 && at.proxies.workflows!.held() > 2,
      use: () => putGraph(MIB_GRAPH),
    },
    {
      service: 'workflows',
      resources: ['unread_bytes'],
      attackers: 3,
      tries: 4,
      async prepare(by) {
        by.large ??= await createLargeWorkflow(at.product, by, LARGE_NODES);
      },
      attempt: ({ large }) => ({
        path: `${BASE_PATH}/workflows/${large}/graph`,
        headers: { 'x-request-id': `${HELD_RESPONSE}-${newId()}` },
      }),
      isFull: async () => (await held('unread_bytes')) > UNREAD_OF_GROUP,
      use: () => call('GET', `/workflows/${at.large}/graph`, { query: { workspaceId: at.mine.workspaceId } }),
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
        by.newest = String((await at.product.call('GET', '/event-log', { key: by.key, query })).body.newest);
      },
      attempt: ({ newest }) => ({ path: `${BASE_PATH}/event-log`, query: { after: newest!, wait: '10' } }),
      use: waitForEvent,
    },
    {
      ...scanning,
      run: (by) => holdReads(by, scanning, SCANNED),
      isFull: async () => (await held('workspace_scans')) >= WORKSPACE_SCANS_OF_USER,
    },
    {
      ...listing,
      run: (by) => holdReads(by, listing, LISTED),
      isFull: async () => (await held('pages')) >= PAGES_OF_USER,
    },
    {
      ...exporting,
      async run(by) {
        const ofExport = ({ workspaceId }: Attacker) =>
          `/internal/exports/decisions/rows?workspace_id=${workspaceId}`;
        for (const proxy of at.pages) proxy.hold(by.map(ofExport));
        const end = send(by, { ...exporting, tries: 1 });
        return async () => {
          end();
          for (const proxy of at.pages) proxy.hold([]);
        };
      },
      isFull: async () => (await held('export_pages')) === 1,
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
        const answer = await httpCall(at.product.url, 'POST', '/mcp', {
          headers: { ...as(at.mine), ...MCP },
          rawBody: toolCall,
        });
        if (succeeded(answer).body.result.isError) throw new Error(answer.text);
      },
    },
    {
      service: 'webhooks',
      resources: ['webhook_attempts', 'webhook_payloads'],
      run: deliver,
      isFull: async () => at.receivers.theirs.open() >= ATTACKERS * IN_FLIGHT,
      use: receiveDelivery,
    },
  ];

  /** By default, the tries are sent, and the attackers have all when some of them are refused. */
  const attacks = given.map((each): Attack => {
    const [resource] = each.resources as [string];
    let before = 0;
    async function run(by: Attacker[]) {
      for (const one of by.slice(0, each.attackers)) await each.prepare?.(one);
      before = await refused(resource);
      if (each.run) return each.run(by);
      const end = send(by, each);
      return async () => end();
    }
    return { isFull: async () => (await refused(resource)) > before, ...each, run };
  });
  return { attacks, held, metricLines };
}
