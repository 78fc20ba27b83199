import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { internalHeaders } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import { generateSigningKey } from '@waymark/service-kit/process';
import { observeServices } from './services.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A service with a clock of its own, which answers 403 to an identity that it accepts. */
async function serve({ aheadMs = 0, accepts = true } = {}): Promise<string> {
  const server = createServer((request, response) => {
    const isSigned = request.headers[internalHeaders.identity] !== undefined;
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    response.writeHead(isSigned && accepts ? 403 : 401).end();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('observeServices', () => {
  it('reports which services answer', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    const env = { GATEWAY_URL: await serve(), AUDIT_URL: `${gone}, ${await serve()}`, SEARCH_URL: gone };
    const { reachable, refusingGateway } = await observeServices(env);
    expect(reachable).toEqual({ gateway: true, audit: true, search: false });
    expect(refusingGateway).toEqual([]);
  });

  it('asks again before it says that a service does not answer', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      else response.end();
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await observeServices({ AUDIT_URL: url })).reachable).toEqual({ audit: true });
  });

  it('measures the clock of the replica that differs most', async () => {
    const urls = [await serve({ aheadMs: 2_000 }), await serve({ aheadMs: -60_000 }), await serve()];
    const { servicesAheadMs } = await observeServices({ AUDIT_URL: urls.join(), SEARCH_URL: await serve() });
    expect(Math.abs(servicesAheadMs.audit! + 60_000)).toBeLessThan(2_000);
    expect(Math.abs(servicesAheadMs.search!)).toBeLessThan(2_000);
  });

  it('finds services that refuse the identity of the gateway', async () => {
    const env = {
      GATEWAY_IDENTITY_PRIVATE_KEYS: generateSigningKey(),
      GATEWAY_URL: await serve({ accepts: false }),
      AUDIT_URL: await serve(),
      TRANSFER_URL: [await serve(), await serve({ accepts: false })].join(),
    };
    expect((await observeServices(env)).refusingGateway).toEqual(['transfer']);
  });

  it('tries no identity without a key that can be read', async () => {
    const env = { GATEWAY_IDENTITY_PRIVATE_KEYS: 'no key', AUDIT_URL: await serve() };
    expect(await observeServices(env)).toMatchObject({ reachable: { audit: true }, refusingGateway: [] });
  });
});
