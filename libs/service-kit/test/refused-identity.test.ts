import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { internalHeaders, type ServiceName } from '@waymark/contracts';
import { internalClient } from '../src/http/client/internal-client.ts';
import { serveOperations } from '../src/http/index.ts';
import { createLogger, createMetrics, generateSigningKey, peerClock } from '../src/process/index.ts';
import { identityOf, registered } from './identity-of.ts';

const known = { gateway: generateSigningKey(), search: generateSigningKey() };
const lines: Record<string, unknown>[] = [];
let server: http.Server;
let metrics: ReturnType<typeof createMetrics>;
beforeEach(async () => {
  lines.length = 0;
  metrics = createMetrics('search');
  const app = serveOperations({
    service: 'search',
    handlers: {} as never,
    identity: identityOf('search', known.search, registered(known)),
    resolveMembership: async () => null,
    refreshCaller: async (principal) => principal,
    metrics,
    log: createLogger('search', 'error', { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

async function search(token?: string): Promise<[status: number, isRefused: boolean]> {
  const { port } = server.address() as AddressInfo;
  const headers = token === undefined ? {} : { [internalHeaders.identity]: token };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/search?q=a`, { headers });
  await answer.text();
  return [answer.status, answer.headers.has(internalHeaders.identityRefused)];
}

/** A token of a service whose key is not the one that search knows. */
function tokenOf(service: ServiceName, privateKey: string, audience: ServiceName = 'search') {
  const own = identityOf(service, privateKey, registered({ [service]: privateKey }));
  return own.sign({ type: 'service', service }, audience);
}

const refused = {
  level: 'error',
  msg: expect.stringMatching(/^identity refused: compare IDENTITY_PUBLIC_KEYS/),
  caller_address: '127.0.0.1',
};

it('tells the operator once who was refused and why, without the token, and counts it', async () => {
  const token = await tokenOf('gateway', generateSigningKey());
  for (let n = 0; n < 3; n += 1) expect(await search(token)).toEqual([401, true]);
  expect(lines).toEqual([
    expect.objectContaining({ ...refused, caller: 'gateway', reason: 'no key of the caller verifies it' }),
  ]);
  expect(await metrics.registry.metrics()).toMatch(
    /^waymark_identity_refused_total\{caller="gateway",service="search"\} 3$/m,
  );
  expect(JSON.stringify(lines)).not.toContain(token.split('.')[2]);
});

it('names what is wrong with a token that its caller has signed, and a caller without a key', async () => {
  expect(await search(await tokenOf('gateway', known.gateway, 'audit'))).toEqual([401, true]);
  expect(await search(await tokenOf('audit', generateSigningKey()))).toEqual([401, true]);
  expect(await search('no token')).toEqual([401, true]);
  expect(lines).toMatchObject([
    { ...refused, caller: 'gateway', reason: 'its claim aud is wrong' },
    { ...refused, caller: 'audit', reason: 'IDENTITY_PUBLIC_KEYS has no key of the caller' },
    { ...refused, caller: 'unknown', reason: 'IDENTITY_PUBLIC_KEYS has no key of the caller' },
  ]);
});

it('does not log a request without an identity, as of doctor or a scanner', async () => {
  expect(await search()).toEqual([401, false]);
  expect(lines).toEqual([]);
});

it('is no fault of the client of a service that calls another one', async () => {
  server.removeAllListeners('request');
  server.on('request', (_, response) => {
    response.writeHead(401, { [internalHeaders.identityRefused]: 'true' }).end('{"error":"UNAUTHORIZED"}');
  });
  const client = internalClient({
    service: 'search',
    urls: { accounts: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    identity: identityOf('search', known.search, registered(known)),
    tracing: { current: () => undefined } as never,
    clockOf: () => peerClock(),
    tls: {} as never,
    now: () => performance.now(),
  });
  const resolved = client.call('resolveMembership', { params: { userId: 'x' } });
  await expect(resolved).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await client.close();
});
