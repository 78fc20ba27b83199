import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { internalHeaders, type KeyPrincipal, newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { serveOperations } from '../src/http/index.ts';
import { createLogger, createMetrics, generateSigningKey } from '../src/process/index.ts';
import { identityOf, registered } from './identity-of.ts';

const keys = { gateway: generateSigningKey(), decisions: generateSigningKey() };
const caller: KeyPrincipal = {
  type: 'api_key',
  key_id: newId(),
  key_name: 'a key',
  key_prefix: 'wmk_abcdef',
  user_id: newId(),
  workspace_id: newId(),
  scopes: ['read', 'write'],
  plan: 'business',
};
/** What the caller is by the time that its body is complete. */
let current: KeyPrincipal | null;
let server: http.Server;
beforeEach(async () => {
  current = caller;
  const app = serveOperations({
    service: 'decisions',
    handlers: { scoreDecisionDraft: async () => ({}) } as never,
    identity: identityOf('decisions', keys.decisions, registered(keys)),
    resolveMembership: async () => null,
    refreshCaller: async () => current,
    metrics: createMetrics('decisions'),
    log: createLogger('decisions', 'silent'),
  });
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

/** Begins a request, and ends its body once `beforeEnd` resolves. */
async function send(beforeEnd: (startedAt: number) => Promise<unknown>) {
  const body = JSON.stringify({ workspaceId: caller.workspace_id, title: 'A draft' });
  const identity = await identityOf('gateway', keys.gateway, registered(keys)).sign(caller, 'decisions');
  const request = http.request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/quality`, {
    method: 'POST',
    // A connection that was kept open may be closed while the process stands still.
    agent: false,
    headers: {
      [internalHeaders.identity]: identity,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const response = once(request, 'response') as Promise<[http.IncomingMessage]>;
  const begun = once(server, 'request');
  request.write(body.slice(0, 1));
  await begun;
  await beforeEnd(performance.now());
  request.end(body.slice(1));
  const [answer] = await response;
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
}

const late = (startedAt: number) => eventually(() => performance.now() - startedAt > 300);

describe('a body that takes longer than a revocation may', () => {
  it('of a caller whose key has ended meanwhile is refused', async () => {
    current = null;
    expect(await send(late)).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
  });

  it('of a caller that has lost a scope meanwhile, as its creator a role, is refused', async () => {
    current = { ...caller, scopes: ['read'] };
    expect(await send(late)).toMatchObject({ status: 403, body: { error: 'INSUFFICIENT_SCOPE' } });
    current = caller;
    expect((await send(late)).status).toBe(200);
  });
});
