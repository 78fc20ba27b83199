import http from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  bodyBytesMax,
  bodyValuesMax,
  limits,
  newId,
  type Operation,
  operationList,
} from '@waymark/contracts';
import { type Answer, patience, startWebhookReceiver, undisturbed } from '@waymark/testing';
import { withBystander } from './support/bystander.ts';
import { jsonSchema } from './support/json-schema.ts';
import { startProduct } from './support/product.ts';
import {
  byId,
  createRecords,
  credentialsFor,
  headersFor,
  pathTo,
  type Workspace,
} from './support/records.ts';

/**
 * Sends the largest body of each hostile shape to an operation of each service with each of its limits. It is
 * refused before the schema of the operation reads it. That costs neither the services nor another workspace
 * much.
 */
const product = await startProduct();
const receiver = await startWebhookReceiver();
const mine = await product.workspace();
const other = await product.workspace();
const limitsOf = (operation: Operation) =>
  `${operation.service} ${bodyBytesMax(operation)} ${bodyValuesMax(operation)}`;
const withBody = [
  ...new Map(operationList.filter(({ body }) => body).map((one) => [limitsOf(one), one])).values(),
];
const records = await createRecords(product, mine, receiver.url);
// The first calls compile schemas and open connections.
for (const operation of withBody) await send(operation, '{"unknown":1}');
afterAll(async () => {
  await product.stop();
  await receiver.stop();
});

const MICROSECONDS = 1_000;
/** Of processor time. */
const GRAPH_MAX_MS = patience(2_500);
const OTHER_MAX_MS = patience(500);

/** Repeats `item` until the body has `bytes`. */
function filled(start: string, item: (i: number) => string, end: string, bytes: number): string {
  const items: string[] = [];
  let left = bytes - start.length - end.length;
  for (let i = 0; ; i += 1) {
    const next = item(i);
    left -= next.length + 1;
    if (left < 0) return start + items.join(',') + end;
    items.push(next);
  }
}

/** Returns the largest body of each shape, with the beginning of the message that refuses it. */
function hostileBodies(operation: Operation): Record<string, [rawBody: string, message: string]> {
  const bytes = bodyBytesMax(operation);
  const fields = Object.entries(jsonSchema(operation.body!).properties ?? {});
  const list = fields.find(([, { type }]) => type === 'array')?.[0] ?? fields[0]?.[0] ?? 'a';
  const tooMany = `body: has more than ${bodyValuesMax(operation)} keys and values`;
  const levels = Math.floor(bytes / `{"${list}":}`.length) - 1;
  return {
    'many keys': [filled('{', (i) => `"k${i}":1`, '}', bytes), tooMany],
    depth: [
      `${`{"${list}":`.repeat(levels)}1${'}'.repeat(levels)}`,
      `body: nests deeper than ${limits.jsonDepth} levels`,
    ],
    breadth: [filled(`{"${list}":[`, () => '1', ']}', bytes), tooMany],
    'repeated names': [filled('{', () => `"${list}":[]`, '}', bytes), tooMany],
  };
}

function send(operation: Operation, rawBody: string, extra = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...headersFor(operation, {}), ...extra };
  return product.call(operation.method, pathTo(operation, records), {
    ...credentialsFor(operation, mine),
    headers,
    rawBody,
  });
}

const callOther = () =>
  product.call('GET', '/workflows', { key: other.key, query: { workspaceId: other.workspaceId } });

/** Runs `work` while another workspace sends one request after another, and returns what that costs. */
function measured(work: () => Promise<Answer>, processMaxMs: number) {
  const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / MICROSECONDS;
  return undisturbed(
    async () => {
      const before = { process: process.cpuUsage(), thread: process.threadCpuUsage() };
      const { result: answer, harmed } = await withBystander(work, callOther);
      return {
        answer,
        harmed,
        /** Of all threads. */
        processMs: sum(process.cpuUsage(before.process)),
        /** Of the thread that serves requests, which also sends them in this test. */
        threadMs: sum(process.threadCpuUsage(before.thread)),
      };
    },
    ({ harmed, processMs }) => harmed.length === 0 && processMs < processMaxMs,
  );
}

const putGraph = withBody.find(({ id }) => id === 'putWorkflowGraph')!;

describe.each(byId(withBody))('%s refuses', (_, operation) => {
  it.each(Object.entries(hostileBodies(operation)))('%s', async (_shape, [rawBody, message]) => {
    const maxMs = operation === putGraph ? GRAPH_MAX_MS : OTHER_MAX_MS;
    const { answer, harmed, processMs } = await measured(() => send(operation, rawBody), maxMs);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect(harmed).toEqual([]);
    expect(processMs).toBeLessThan(maxMs);
  });
});

describe('putWorkflowGraph', () => {
  const KEYS = limits.graphValues / 2 - 1_000;
  const keys = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `"${(from + i).toString(36)}":1`).join(',');

  it('names 50 of the most unknown keys that it reads, in a thread of their own', async () => {
    const rawBody = `{"nodes":[],"edges":[],${keys(1_000_000, KEYS)}}`;
    const { answer, harmed, processMs, threadMs } = await measured(
      () => send(putGraph, rawBody),
      GRAPH_MAX_MS,
    );
    expect([answer.status, answer.body.issues.length]).toEqual([400, 50]);
    expect(harmed).toEqual([]);
    expect(processMs).toBeLessThan(GRAPH_MAX_MS);
    expect(threadMs).toBeLessThan(processMs * 0.75);
  });

  it('stores the most different keys that a graph can have', async () => {
    const perNode = 5_000;
    const nodes = Array.from({ length: Math.floor(KEYS / perNode) }, (_, n) => {
      const fields = `"id":"${newId()}","type":"task","title":"A node","positionX":0,"positionY":0`;
      return `{${fields},"data":{${keys(n * perNode, perNode)}}}`;
    });
    const rawBody = `{"nodes":[${nodes.join(',')}],"edges":[]}`;
    const store = () => send(putGraph, rawBody, { 'if-match': '*' });
    const { result, harmed } = await undisturbed(
      () => withBystander(store, callOther),
      (measured) => measured.harmed.length === 0,
    );
    expect([result.status, result.body.nodes.length]).toEqual([200, nodes.length]);
    expect(harmed).toEqual([]);
  });

  it('refuses the second of the largest bodies that one caller holds back, and leaves room for others', async () => {
    const uploads = Array.from({ length: 2 }, beginUpload);
    try {
      const refused = await Promise.race(uploads.map(({ status }) => status));
      expect(refused).toBe(429);
      const usual = JSON.stringify({ nodes: [], edges: [] }) + ' '.repeat(limits.bodyBytes / 2);
      const answer = await product.call('PUT', `/workflows/${await workflowOf(other)}/graph`, {
        key: other.key,
        rawBody: usual,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(200);
    } finally {
      for (const { request } of uploads) request.destroy();
    }
  });

  /** Sends the largest possible body but for its last byte. */
  function beginUpload() {
    const request = http.request(`${product.url}/v1${pathTo(putGraph, records)}`, {
      method: 'PUT',
      agent: false,
      headers: {
        authorization: `Bearer ${mine.key}`,
        'content-type': 'application/json',
        'content-length': limits.graphBodyBytes,
      },
    });
    const status = new Promise<number | undefined>((resolve) => {
      request.on('response', (response) => resolve(response.statusCode));
      request.on('error', () => undefined);
    });
    request.write(' '.repeat(limits.graphBodyBytes - 1));
    return { request, status };
  }
});

async function workflowOf({ key, workspaceId }: Workspace): Promise<string> {
  return (await product.call('POST', '/workflows', { key, body: { workspaceId, title: 'A workflow' } })).body
    .id;
}
