import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ApiError, internalHeaders } from '@waymark/contracts';
import { serveOperations } from '../src/http/index.ts';
import type { Logger } from '../src/process/index.ts';

const warnings: string[] = [];
let server: http.Server;
beforeAll(async () => {
  const app = serveOperations<'search'>({
    service: 'search',
    handlers: {} as never,
    identity: { verify: () => Promise.reject(new ApiError('UNAUTHORIZED')) },
    resolveMembership: async () => null,
    metrics: { requestSeconds: { observe: () => undefined } } as never,
    log: { warn: (message: string) => void warnings.push(message) } as unknown as Logger,
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());
beforeEach(() => void warnings.splice(0));

const search = async (headers: Record<string, string>) => {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/search?q=a`, { headers });
  await answer.text();
  return answer.status;
};

it('tells the operator of an identity that was signed with another key', async () => {
  expect(await search({ [internalHeaders.identity]: 'a token' })).toBe(401);
  expect(warnings).toEqual([expect.stringMatching(/^identity refused: compare IDENTITY_PUBLIC_KEYS/)]);
});

it('does not log a request without an identity, as of doctor or a scanner', async () => {
  expect(await search({})).toBe(401);
  expect(warnings).toEqual([]);
});
