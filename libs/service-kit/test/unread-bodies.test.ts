import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { internalHeaders, MEBIBYTE } from '@waymark/contracts';
import { eventually, keyPrincipal } from '@waymark/testing';
import { JsonText, serveOperations } from '../src/http/index.ts';
import { createLogger, createMetrics } from '../src/process/index.ts';

let server: http.Server | undefined;
afterEach(() => server?.close().closeAllConnections());

/** Serves lists of decisions as long as the type that they ask for; the token of a request names its user. */
async function start() {
  const metrics = createMetrics('decisions');
  const app = serveOperations({
    service: 'decisions',
    handlers: {
      listDecisions: ({ query }: { query: { type: string } }) => new JsonText(' '.repeat(Number(query.type))),
    },
    identity: {
      verify: async (user = '') => keyPrincipal({ user_id: user, workspace_id: keyPrincipal().workspace_id }),
    },
    resolveMembership: async () => null,
    refreshCaller: async (principal) => principal,
    metrics,
    log: createLogger('decisions', 'silent'),
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headersOf = (user: string, network: string) => ({
    [internalHeaders.identity]: user,
    [internalHeaders.clientAddress]: network,
  });
  const path = (bytes: number) => `/v1/decisions?type=${bytes}`;
  return {
    async read(user: string, network: string, bytes: number) {
      const answer = await fetch(`http://127.0.0.1:${port}${path(bytes)}`, {
        headers: headersOf(user, network),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    /** Sends a request, and reads the status of the response only. */
    async leaveUnread(user: string, network: string, bytes: number) {
      const socket = net.connect(port, '127.0.0.1');
      const lines = Object.entries(headersOf(user, network)).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${path(bytes)} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`);
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
  const { read, leaveUnread, held } = await start();
  const unread = await Promise.all(
    Array.from({ length: 20 }, () => leaveUnread('many', '192.0.2.1', 16 * MEBIBYTE)),
  );
  const kept = unread.filter(({ status }) => status === 200);
  expect(new Set(unread.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(kept.length).toBeLessThan(6);
  expect(await read('many', '192.0.2.1', 1_000)).toBe(200);
  expect(await read('other', '198.51.100.1', 16 * MEBIBYTE)).toBe(200);
  expect(await held()).toBe(kept.length * 16 * MEBIBYTE);
  for (const { socket } of unread) socket.destroy();
  await eventually(async () => expect(await held()).toBe(0));
  expect(await read('many', '192.0.2.1', 16 * MEBIBYTE)).toBe(200);
});
