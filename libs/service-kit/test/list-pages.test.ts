import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { allOperations, internalHeaders, MEBIBYTE, type Operation, recordOf } from '@waymark/contracts';
import { eventually, keyPrincipal } from '@waymark/testing';
import { JsonText, type RequestContext, serveOperations } from '../src/http/index.ts';
import { isPage } from '../src/http/shares/list-pages.ts';
import { createLogger, createMetrics } from '../src/process/index.ts';

let server: http.Server | undefined;
afterEach(() => server?.close().closeAllConnections());

/** Serves decisions, whose lists end when the test says so; the token of a request names its user. */
async function start(list: (ctx: RequestContext) => Promise<object>) {
  const app = serveOperations({
    service: 'decisions',
    handlers: { listDecisions: ({ ctx }: { ctx: RequestContext }) => list(ctx) },
    identity: {
      verify: async (user = '') => keyPrincipal({ user_id: user, workspace_id: keyPrincipal().workspace_id }),
    },
    resolveMembership: async () => null,
    refreshCaller: async (principal) => principal,
    metrics: createMetrics('decisions'),
    log: createLogger('decisions', 'silent'),
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (user: string, network: string) =>
    fetch(`http://127.0.0.1:${port}/v1/decisions`, {
      headers: { [internalHeaders.identity]: user, [internalHeaders.clientAddress]: network },
    }).then(({ status }) => status);
}

it('makes few pages of a user and network at once, those of another beside them, and then the others', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const read = await start(async ({ principal }) => {
    begun.push((principal as { user_id: string }).user_id);
    await ended;
    return { decisions: [], next_cursor: null };
  });
  const many = Array.from({ length: 30 }, () => read('many', '192.0.2.1'));
  await eventually(async () => expect(begun.length).toBeGreaterThan(1));
  const other = read('other', '198.51.100.1');
  await eventually(async () => expect(begun).toContain('other'));
  expect(begun.filter((user) => user === 'many').length).toBeLessThanOrEqual(3);
  end();
  expect(new Set(await Promise.all([other, ...many]))).toEqual(new Set([200]));
});

it('lets other pages begin while one waits for something else', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let begun = 0;
  const read = await start(async (ctx) => {
    ctx.leaveEarly();
    begun += 1;
    await ended;
    return { decisions: [], next_cursor: null };
  });
  const all = Array.from({ length: 30 }, () => read('many', '192.0.2.1'));
  await eventually(async () => expect(begun).toBe(30));
  end();
  await Promise.all(all);
});

it('accepts the connections of others while large pages are made', async () => {
  let made = 0;
  const read = await start(async ({ principal }) => {
    if ((principal as { user_id: string }).user_id === 'other') return { decisions: [], next_cursor: null };
    made += 1;
    const endMs = performance.now() + 10;
    while (performance.now() < endMs);
    return new JsonText(' '.repeat(2 * MEBIBYTE));
  });
  const many = Array.from({ length: 100 }, () => read('many', '192.0.2.1'));
  await eventually(async () => expect(made).toBeGreaterThan(0));
  expect(await read('other', '198.51.100.1')).toBe(200);
  expect(made).toBeLessThan(20);
  await Promise.all(many);
});

it('are the lists of all services that clients read page by page, and whole graphs', () => {
  const served: Operation[] = Object.values(allOperations).filter(({ caller }) => caller !== 'service');
  const has = (schema: Operation['query'], field: string) => recordOf(schema)?.shape[field] !== undefined;
  const paged = served.filter(({ query, response }) =>
    ['next_cursor', 'next_cursors', 'next_after'].some(
      (next) => has(response.schema, next) && (has(query, 'cursor') || has(query, 'after')),
    ),
  );
  const ids = (operations: Operation[]) => operations.map(({ id }) => id).sort();
  expect(ids(served.filter(isPage))).toEqual([...ids(paged), 'getWorkflowGraph'].sort());
});
