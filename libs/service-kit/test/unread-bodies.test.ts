import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { internalHeaders, MEBIBYTE, newId } from '@waymark/contracts';
import { eventually, keyPrincipal } from '@waymark/testing';
import { JsonText, serveOperations } from '../src/http/index.ts';
import { createLogger, createMetrics } from '../src/process/index.ts';

let server: http.Server | undefined;
afterEach(() => server?.close().closeAllConnections());

const LARGE = 16 * MEBIBYTE;

/** Waits, as for a read of the store, until requests that were sent at the same time have begun. */
async function otherRequests(): Promise<void> {
  for (let turns = 0; turns < 64; turns += 1) await setImmediate();
}

/**
 * Serves lists of workflows as long as the text that they ask for, and changes of graphs with a large answer.
 * The token of a request names its user.
 */
async function start() {
  const metrics = createMetrics('workflows');
  const app = serveOperations({
    service: 'workflows',
    handlers: {
      async listWorkflows({ query }: { query: { text: string } }) {
        await otherRequests();
        return new JsonText(' '.repeat(Number(query.text)));
      },
      async putWorkflowGraph() {
        await otherRequests();
        return new JsonText(' '.repeat(LARGE));
      },
    },
    identity: {
      verify: async (user = '') => keyPrincipal({ user_id: user, workspace_id: keyPrincipal().workspace_id }),
    },
    resolveMembership: async () => null,
    refreshCaller: async (principal) => principal,
    metrics,
    log: createLogger('workflows', 'silent'),
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headersOf = (user: string, network: string) => ({
    [internalHeaders.identity]: user,
    [internalHeaders.clientAddress]: network,
    // A request that has to wait is refused soon.
    [internalHeaders.timeoutMs]: '500',
  });
  const list = (bytes: number) => `GET /v1/workflows?text=${bytes}`;
  return {
    list,
    async read(user: string, network: string, bytes: number) {
      const url = `http://127.0.0.1:${port}${list(bytes).slice('GET '.length)}`;
      const answer = await fetch(url, { headers: headersOf(user, network) });
      await answer.arrayBuffer();
      return answer.status;
    },
    /** Sends a request, and reads the status of the response only. */
    async leaveUnread(user: string, network: string, head: string, body = '') {
      const socket = net.connect(port, '127.0.0.1');
      const given = { Host: 'localhost', 'Content-Length': body.length, ...headersOf(user, network) };
      const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`${head} HTTP/1.1\r\n${lines.join('')}Content-Type: application/json\r\n\r\n${body}`);
      await once(socket, 'readable');
      const status = Number(String(socket.read(16)).split(' ')[1]);
      return { socket, status };
    },
    async held(): Promise<number> {
      const text = await metrics.registry.metrics();
      const line = text.split('\n').find((one) => /^waymark_admission_held{.*unread_bytes/.test(one));
      return Number(line?.split(' ').at(-1));
    },
  };
}

it('keeps few large responses that a client does not read, and serves others beside them', async () => {
  const { list, read, leaveUnread, held } = await start();
  const unread = await Promise.all(
    Array.from({ length: 20 }, () => leaveUnread('many', '192.0.2.1', list(LARGE))),
  );
  const kept = unread.filter(({ status }) => status === 200);
  expect(new Set(unread.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(kept.length).toBeLessThan(7);
  expect(await read('other', '198.51.100.1', LARGE)).toBe(200);
  expect(await held()).toBe(kept.length * LARGE);
  for (const { socket } of unread) socket.destroy();
  await eventually(async () => expect(await held()).toBe(0));
  expect(await read('many', '192.0.2.1', LARGE)).toBe(200);
});

it('answers reads that wait for those of their own, and begins no change whose answer would be one more', async () => {
  const { list, read, leaveUnread, held } = await start();
  const put = `PUT /v1/workflows/${newId()}/graph`;
  const unread: Awaited<ReturnType<typeof leaveUnread>>[] = [];
  const change = async () => {
    unread.push(await leaveUnread('many', '192.0.2.1', put, '{"nodes":[],"edges":[]}'));
    return unread.at(-1)!.status;
  };
  for (let n = 0; n < 3; n += 1) expect(await change()).toBe(200);
  expect(await change()).toBe(429);
  expect(await held()).toBe(3 * LARGE);
  expect(await read('other', '198.51.100.1', LARGE)).toBe(200);
  const waiting = leaveUnread('many', '192.0.2.1', list(LARGE));
  for (const { socket } of unread) socket.destroy();
  expect((await waiting).status).toBe(200);
});
