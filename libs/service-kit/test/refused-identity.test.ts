import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { internalHeaders, type ServiceName } from '@waymark/contracts';
import { serveOperations } from '../src/http/index.ts';
import { createLogger, generateSigningKey } from '../src/process/index.ts';
import { identityOf, registered } from './identity-of.ts';

const known = { gateway: generateSigningKey(), search: generateSigningKey() };
const lines: Record<string, unknown>[] = [];
let server: http.Server;
beforeEach(async () => {
  lines.length = 0;
  const app = serveOperations<'search'>({
    service: 'search',
    handlers: {} as never,
    identity: identityOf('search', known.search, registered(known)),
    resolveMembership: async () => null,
    refreshCaller: async (principal) => principal,
    metrics: { requestSeconds: { observe: () => undefined } } as never,
    log: createLogger('search', 'warn', { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

async function search(token?: string): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const headers = token === undefined ? {} : { [internalHeaders.identity]: token };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/search?q=a`, { headers });
  await answer.text();
  return answer.status;
}

/** A token of a service whose key is not the one that search knows. */
function tokenOf(service: ServiceName, privateKey: string, audience: ServiceName = 'search') {
  const own = identityOf(service, privateKey, registered({ [service]: privateKey }));
  return own.sign({ type: 'service', service }, audience);
}

const refused = {
  level: 'warn',
  msg: expect.stringMatching(/^identity refused: compare IDENTITY_PUBLIC_KEYS/),
  caller_address: '127.0.0.1',
};

it('tells the operator once who was refused and why, without the token', async () => {
  const token = await tokenOf('gateway', generateSigningKey());
  for (let n = 0; n < 3; n += 1) expect(await search(token)).toBe(401);
  expect(lines).toEqual([
    expect.objectContaining({ ...refused, caller: 'gateway', reason: 'no key of the caller verifies it' }),
  ]);
  expect(JSON.stringify(lines)).not.toContain(token.split('.')[2]);
});

it('names what is wrong with a token that its caller has signed, and a caller without a key', async () => {
  expect(await search(await tokenOf('gateway', known.gateway, 'audit'))).toBe(401);
  expect(await search(await tokenOf('audit', generateSigningKey()))).toBe(401);
  expect(await search('no token')).toBe(401);
  expect(lines).toMatchObject([
    { ...refused, caller: 'gateway', reason: 'its claim aud is wrong' },
    { ...refused, caller: 'audit', reason: 'IDENTITY_PUBLIC_KEYS has no key of the caller' },
    { ...refused, caller: 'unknown', reason: 'IDENTITY_PUBLIC_KEYS has no key of the caller' },
  ]);
});

it('does not log a request without an identity, as of doctor or a scanner', async () => {
  expect(await search()).toBe(401);
  expect(lines).toEqual([]);
});
