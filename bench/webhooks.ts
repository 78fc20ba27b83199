import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_PATH, type EventEnvelope, eventStream, newId } from '@waymark/contracts';
import { findRepositoryRoot, freePort, startStores } from '@waymark/local-stack';
import { baseEnvironment, openRuntime, readEnvironment } from '@waymark/service-kit';
import { eventually, httpCall } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { callApi } from '../dev/api.ts';
import { readSecrets } from '../dev/secrets.ts';
import { startServices } from '../dev/services.ts';

/**
 * `npm run bench:webhooks [seconds] [backlog]`: a burst of 2,000 events from their publication to a local receiver; 50
 * calls a second through the gateway, from call to receipt; the same to ten endpoints with one dead; and again with
 * a backlog of pending deliveries.
 */
const seconds = Number(process.argv[2] ?? 20);
const backlog = Number(process.argv[3] ?? 1_000_000);
const BURST = 2_000;
const PUBLISHERS = 16;
const PER_SECOND = 50;

const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-'));
const root = findRepositoryRoot();
const stores = await startStores({ root, dataDir: join(directory, 'data'), log: () => undefined, env: {} });
const secrets = await readSecrets(directory);
const services = await startServices({
  root,
  port: await freePort(),
  stores,
  secrets,
  logDirectory: directory,
  only: ['accounts', 'decisions', 'audit', 'webhooks'],
  env: { LIMIT_SCALE: '1000000', WEBHOOK_MAX_PER_SECOND: '10000' },
});
const { baseUrl } = services;
const mongo = new MongoClient(stores.mongoUrl, { writeConcern: { w: 1 } });
/** Publishes events as a service would. */
const publisher = openRuntime(
  'decisions',
  readEnvironment(baseEnvironment('decisions'), { ...secrets, NATS_URL: stores.natsUrl, LOG_LEVEL: 'warn' }),
);
const agent = new http.Agent({ keepAlive: true });
const nowMs = () => performance.timeOrigin + performance.now();

interface Receiver {
  url: string;
  process: ChildProcess;
  /** What has come since this was last asked. */
  arrivals(): Promise<[id: string, atMs: number][]>;
}

async function startReceiver(): Promise<Receiver> {
  const child = fork(join(root, 'bench/webhook-receiver.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${line.toString().trim()}`;
  return {
    url,
    process: child,
    arrivals: async () => JSON.parse((await httpCall(url, 'GET', '/figures')).text),
  };
}

interface Workspace {
  id: string;
  key: string;
  cookie: string;
}

let users = 0;
async function createWorkspace(): Promise<Workspace> {
  users += 1;
  const signedUp = await callApi<{ workspaces: { id: string }[] }>(`${baseUrl}/auth/sign-up`, {
    method: 'POST',
    body: { email: `bench${users}@example.com`, password: 'correct horse battery', name: 'Bench' },
  });
  const id = signedUp.body.workspaces[0]!.id;
  const headers = { cookie: signedUp.cookie! };
  const body = { workspaceId: id, name: 'bench', scopes: ['read', 'write'] };
  const created = await callApi<{ key: string }>(`${baseUrl}/api-keys`, { method: 'POST', headers, body });
  return { id, key: created.body.key, cookie: signedUp.cookie! };
}

async function createWebhook({ id, cookie }: Workspace, url: string): Promise<string> {
  const body = { workspaceId: id, url, events: ['decision.created'] };
  const created = await callApi<{ id: string }>(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { cookie },
    body,
  });
  return created.body.id;
}

const sample = {
  title: 'Which store keeps our decisions?',
  description: 'The store must keep what it acknowledged through any crash, and run on one laptop.',
  options_considered: ['MongoDB', 'PostgreSQL'],
  tags: ['infrastructure'],
};

function eventOf(workspaceId: string): EventEnvelope {
  const id = newId();
  return {
    id: newId(),
    type: 'decision.created',
    version: 1,
    time: new Date().toISOString(),
    workspace_id: workspaceId,
    actor: { type: 'api_key', id: newId(), name: 'bench', key_prefix: 'wmk_bench0' },
    action: null,
    request_id: newId(),
    ip: null,
    user_agent: null,
    subject: { type: 'decision', id, version: 1 },
    data: { id, workspace_id: workspaceId, ...sample },
    changes: null,
  };
}

/** Deliveries a second from the first publication to the last receipt. */
async function burst(workspace: Workspace, receiver: Receiver): Promise<{ perSecond: number; cpu: string }> {
  const stream = eventStream('waymark');
  const js = await eventually(() => publisher.nats.jetstream() ?? Promise.reject(new Error('NATS is away')));
  let left = BURST;
  const before = await cpuTimes();
  const startedAtMs = nowMs();
  const publish = async () => {
    while (left-- > 0) {
      const event = eventOf(workspace.id);
      await js.publish(stream.subject(event.type), JSON.stringify(event), { msgID: event.id });
    }
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, publish));
  const arrived: [string, number][] = [];
  await eventually(async () => {
    arrived.push(...(await receiver.arrivals()));
    return arrived.length >= BURST;
  }, 120_000);
  const after = await cpuTimes();
  const cpu = Object.entries(after)
    .map(([name, ms]) => `${name} ${((ms - before[name]!) / BURST).toFixed(2)}`)
    .join(', ');
  const last = Math.max(...arrived.map(([, atMs]) => atMs));
  return { perSecond: (BURST * 1000) / (last - startedAtMs), cpu };
}

/** Processor time so far, in milliseconds, of the processes that a delivery passes through. */
async function cpuTimes(): Promise<Record<string, number>> {
  const pids: [string, number | undefined][] = [
    ['webhooks', services.processes.find(({ service }) => service === 'webhooks')!.process.pid],
    ['mongod', stores.mongo?.pid],
    ['nats', stores.nats?.pid],
  ];
  const times: Record<string, number> = {};
  for (const [name, pid] of pids) {
    if (pid === undefined) continue;
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
    times[name] = (Number(fields[11]) + Number(fields[12])) * 10;
  }
  return times;
}

interface Latency {
  p50Ms: number;
  p99Ms: number;
  writeP50Ms: number;
}

/** From the beginning of an API call to the receipt, at a steady rate. `copies` is how often each one is received. */
async function paced(workspace: Workspace, receiver: Receiver, copies = 1): Promise<Latency> {
  const calledAtMs = new Map<string, number>();
  const writes: number[] = [];
  const call = async () => {
    const startedAtMs = nowMs();
    const answer = await httpCall(baseUrl.replace(BASE_PATH, ''), 'POST', `${BASE_PATH}/decisions`, {
      agent,
      headers: { authorization: `Bearer ${workspace.key}` },
      query: { workspaceId: workspace.id },
      body: sample,
    });
    if (answer.status !== 201) throw new Error(`POST /decisions answered ${answer.status}: ${answer.text}`);
    writes.push(nowMs() - startedAtMs);
    calledAtMs.set(answer.body.id, startedAtMs);
  };
  await receiver.arrivals();
  const beganAtMs = nowMs();
  const calls: Promise<void>[] = [];
  const count = seconds * PER_SECOND;
  for (let n = 0; n < count; n += 1) {
    const waitMs = beganAtMs + (n * 1000) / PER_SECOND - nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    calls.push(call());
  }
  await Promise.all(calls);
  const arrived: [string, number][] = [];
  await eventually(async () => {
    arrived.push(...(await receiver.arrivals()));
    return arrived.length >= count * copies;
  }, 60_000);
  // The first second warms connections and compilers up.
  const times = arrived
    .filter(([id]) => calledAtMs.get(id)! > beganAtMs + 1_000)
    .map(([id, atMs]) => atMs - calledAtMs.get(id)!);
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), writeP50Ms: quantile(writes, 0.5) };
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Pending deliveries to endpoints of another workspace, due in an hour. */
async function insertBacklog(count: number): Promise<void> {
  const workspace = await createWorkspace();
  const webhookIds = await Promise.all(
    Array.from({ length: 10 }, () => createWebhook(workspace, 'http://127.0.0.1:4000')),
  );
  const deliveries = mongo.db('waymark_webhooks').collection<{ _id: string }>('deliveries');
  const due = new Date(Date.now() + 3_600_000).toISOString();
  for (let done = 0; done < count; done += 5_000) {
    const batch = Array.from({ length: Math.min(5_000, count - done) }, (_, i) => {
      const event = eventOf(workspace.id);
      const webhookId = webhookIds[i % webhookIds.length]!;
      const { id, type, time, data } = event;
      return {
        _id: newId(),
        workspace_id: workspace.id,
        webhook_id: webhookId,
        event_id: id,
        event_type: type,
        status: 'pending',
        series: 1,
        attempt: 1,
        max_attempts: 5,
        next_attempt_at: due,
        created_at: time,
        finished_at: null,
        payload: JSON.stringify({ id, type, created_at: time, workspace_id: workspace.id, data }),
        attempts: [],
        lane: webhookId,
        due_at: due,
        lease: null,
      };
    });
    await deliveries.insertMany(batch, { ordered: false });
  }
}

const report = (line: string) => console.log(line);
const latency = ({ p50Ms, p99Ms, writeP50Ms }: Latency) =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (the call itself p50 ${writeP50Ms.toFixed(1)} ms)`;

const receiver = await startReceiver();
const others = await startReceiver();
try {
  report(`${cpus().length} cores (${cpus()[0]?.model.trim()}), load generator and receiver included`);
  const one = await createWorkspace();
  await createWebhook(one, receiver.url);
  await burst(one, receiver);
  for (let n = 0; n < 3; n += 1) {
    const { perSecond, cpu } = await burst(one, receiver);
    report(`burst of ${BURST}: ${perSecond.toFixed(0)} deliveries/s; processor ms a delivery: ${cpu}`);
  }
  report(`${PER_SECOND}/s: ${latency(await paced(one, receiver))}`);

  const ten = await createWorkspace();
  for (let n = 0; n < 9; n += 1) await createWebhook(ten, others.url);
  report(`${PER_SECOND}/s to nine endpoints: ${latency(await paced(ten, others, 9))}`);
  await createWebhook(ten, `http://127.0.0.1:${await freePort()}`);
  report(`${PER_SECOND}/s to nine and a dead one: ${latency(await paced(ten, others, 9))}`);

  await insertBacklog(backlog);
  const { perSecond } = await burst(one, receiver);
  report(`with ${backlog} pending, burst: ${perSecond.toFixed(0)} deliveries/s`);
  report(`with ${backlog} pending, ${PER_SECOND}/s: ${latency(await paced(one, receiver))}`);
} finally {
  for (const { process: child } of [receiver, others]) child.kill();
  agent.destroy();
  await publisher.close();
  await mongo.close();
  await services.stop();
  await stores.stop();
  await rm(directory, { recursive: true, force: true });
}
