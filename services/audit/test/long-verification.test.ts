import { once } from 'node:events';
import http from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type AuditVerification, internalHeaders } from '@waymark/contracts';
import { serveOperations } from '@waymark/service-kit/http';
import { createLogger, createMetrics } from '@waymark/service-kit/process';
import { keyPrincipal, testIdentity } from '@waymark/testing';
import type { HeadCopies } from '../src/heads/head-copies.ts';
import type { AuditStore } from '../src/store/index.ts';
import { verifyAuditLog } from '../src/verification/verify-audit-log.ts';
import { sampleExport } from './sample-chain.ts';

const identity = testIdentity();
const { keys, entries, head, publicKey } = sampleExport(3);
const found: AuditVerification = {
  valid: true,
  entries: 3,
  erased: 0,
  checkpoint: null,
  segments: [],
  stopped: null,
  head,
  public_key: publicKey,
  fault: null,
};

/** The verification of a call; it runs until the test ends it. */
let working = Promise.withResolvers<AuditVerification>();
let begun = Promise.withResolvers<AbortSignal>();
const app = serveOperations({
  service: 'audit',
  handlers: {
    verifyAuditLog({ ctx }: { ctx: { gone(): AbortSignal } }) {
      begun.resolve(ctx.gone());
      return working.promise;
    },
  } as never,
  identity: { verify: (token = '') => identity.verify(token, 'audit') },
  resolveMembership: async () => null,
  refreshCaller: async (principal) => principal,
  metrics: createMetrics('test'),
  log: createLogger('test', 'silent'),
  longResponseMs: 1,
});
const server = http.createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(): Promise<http.ClientRequest> {
  working = Promise.withResolvers();
  begun = Promise.withResolvers();
  const principal = keyPrincipal();
  const { port } = server.address() as { port: number };
  return http.get({
    port,
    path: `/v1/audit-log/verify?workspaceId=${principal.workspace_id}`,
    headers: { [internalHeaders.identity]: await identity.sign(principal, 'audit') },
    agent: false,
  });
}

describe('the verification of a long chain', () => {
  it('sends whitespace long before its result, and is the same JSON', async () => {
    const request = await ask();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    response.setEncoding('utf8');
    const [first] = await once(response, 'data');
    expect(first.trim()).toBe('');
    working.resolve(found);
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(JSON.parse(text)).toEqual(found);
  });

  it('breaks the connection when it fails after that, so that no client takes it for a result', async () => {
    const request = await ask();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    working.reject(new Error('MongoDB is away'));
    await expect(response.toArray()).rejects.toThrow('aborted');
  });

  it('learns that its caller has gone', async () => {
    const request = await ask();
    const signal = await begun.promise;
    request.on('error', () => undefined).destroy();
    if (!signal.aborted) await once(signal, 'abort');
    working.resolve(found);
  });
});

describe('a verification without callers', () => {
  it('stops at once', async () => {
    const nobody = new AbortController();
    let read = 0;
    const store = {
      checkpoint: async () => null,
      segments: async () => [],
      head: async () => head,
      hasBehind: async () => false,
      async *read() {
        for (const entry of entries) {
          read += 1;
          if (read === 2) nobody.abort();
          yield entry;
        }
      },
    } as unknown as AuditStore;
    const copies = { read: async () => ({ head: null }) } as unknown as HeadCopies;
    await expect(verifyAuditLog({ store, keys, copies }, head.chain, nobody.signal)).rejects.toThrow(
      'aborted',
    );
    expect(read).toBe(2);
  });
});
