import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiError, errorBody } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import { observeAccess } from './access.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    // Some answers never end.
    server.closeAllConnections();
  }
});

/** Answers every path with the status and text, at an address of loopback. */
async function serve(text: string, { status = 200, host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  const server = createServer((_, response) => {
    response.statusCode = status;
    response.end(text);
  });
  servers.push(server);
  await once(server.listen(port, host), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Begins an answer at OTHER and never ends it. */
async function serveEndlessly(port: number): Promise<void> {
  const server = createServer((_, response) => void response.write('begun'));
  servers.push(server);
  await once(server.listen(port, OTHER), 'listening');
}

const nothing = { reachedDenied: [], withoutIdentity: [], withoutPassword: [], offeredToOthers: [] };
const refused = { text: JSON.stringify(errorBody(new ApiError('UNAUTHORIZED'), '1')), status: 401 };
/** Stands for an address under which others reach this machine. */
const OTHER = '127.0.0.2';

describe('observeAccess', () => {
  it('finds nothing where everything is refused or away', async () => {
    const port = await serve(refused.text, refused);
    const gone = await freePort();
    const env = {
      AUDIT_URL: `http://127.0.0.1:${port}`,
      SEARCH_URL: `http://localhost:${gone}`,
      THREADS_URL: 'not a URL',
      REDIS_URL: `redis://:secret@127.0.0.1:${gone}`,
      MONGODB_URL: `mongodb://user:secret@127.0.0.1:${gone}/?serverSelectionTimeoutMS=50`,
      NATS_URL: `nats://user:secret@127.0.0.1:${gone}`,
      DENIED_CONNECTIONS: `127.0.0.1:${gone}`,
    };
    expect(await observeAccess(env, [OTHER])).toEqual(nothing);
  });

  it('finds connections that a NetworkPolicy should deny', async () => {
    const gone = `127.0.0.1:${await freePort()}`;
    const metrics = `localhost:${await serve('')}`;
    const env = { DENIED_CONNECTIONS: `${gone},${metrics}` };
    expect(await observeAccess(env, [])).toEqual({ ...nothing, reachedDenied: [metrics] });
  });

  it('finds an address that answers in the name of a service without an identity', async () => {
    const env = {
      AUDIT_URL: `http://127.0.0.1:${await serve('{}')}`,
      ACCOUNTS_URL: `http://127.0.0.1:${await serve(refused.text, refused)}`,
    };
    expect(await observeAccess(env, [])).toEqual({ ...nothing, withoutIdentity: ['audit'] });
  });

  it('finds what listens at other addresses too, unless it is another program', async () => {
    const port = await serve(refused.text, refused);
    await serve(refused.text, { ...refused, host: OTHER, port });
    const other = await serve(refused.text, refused);
    await serve('another program', { host: OTHER, port: other });
    const admin = await serve('ok\n', { host: OTHER });
    const endless = await serve(refused.text, refused);
    await serveEndlessly(endless);
    const store = await serve('');
    await serve('', { host: OTHER, port: store });
    const env = {
      AUDIT_URL: `http://127.0.0.1:${port}`,
      AUDIT_ADMIN_PORT: String(admin),
      SEARCH_URL: `http://127.0.0.1:${other}`,
      THREADS_URL: `http://127.0.0.1:${endless}`,
      REDIS_URL: `redis://localhost:${store}`,
      NATS_URL: `nats://name:secret@127.0.0.1:${store}`,
    };
    const { offeredToOthers } = await observeAccess(env, [OTHER]);
    expect(offeredToOthers).toEqual([
      { what: 'audit', at: `${OTHER}:${port}` },
      { what: 'the metrics of audit', at: `${OTHER}:${admin}` },
      { what: 'Redis', at: `${OTHER}:${store}` },
    ]);
  });
});
