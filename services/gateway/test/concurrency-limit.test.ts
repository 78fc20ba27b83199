import http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { type Stand, startStand } from './stand.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** The share of one caller: half of the requests that may be in flight to one service. */
const SHARE = 256;
/** The start of an upload, large enough that the upload counts as in flight. */
const BEGUN = Buffer.alloc(100_000, ' ');

let transfer: Upstream;
let stand: Stand;
let held: http.ClientRequest[];
/** Uploads that the service is receiving. */
let inFlight: number;
beforeEach(async () => {
  transfer = await startUpstream();
  inFlight = 0;
  transfer.respond = (request, response) => {
    if (request.method === 'GET') return response.end('{}');
    inFlight += 1;
    response.on('close', () => (inFlight -= 1));
  };
  stand = await startStand({ env: { LIMIT_SCALE: '1000', TRANSFER_URL: transfer.url } });
  held = [];
});
afterEach(async () => {
  for (const request of held) request.destroy();
  await stand.stop();
  await transfer.kill();
});

/** Starts an import whose file never ends. */
function trickle(credentials: Record<string, string>, workspaceId: string): void {
  const request = http.request(`${stand.url}/v1/imports?workspaceId=${workspaceId}`, {
    method: 'POST',
    agent: false,
    headers: { ...credentials, 'content-type': 'application/json', 'content-length': '1000000000' },
  });
  request.on('error', () => undefined);
  request.on('response', (response) => response.resume());
  request.write(BEGUN);
  held.push(request);
}

const exportAs = ({ key, principal }: DoubledKey) =>
  stand.call('GET', '/export', { key, query: { workspaceId: principal.workspace_id } });

describe('uploads that never end', () => {
  it.each([
    ['keys of one workspace', (first: DoubledKey) => ({ workspace_id: first.principal.workspace_id })],
    [
      'keys that one user has in many workspaces',
      (first: DoubledKey) => ({ user_id: first.principal.user_id }),
    ],
  ])(
    'from %s take half of the concurrency limit of a service, and other callers are served',
    async (_, shared) => {
      const first = stand.accounts.createKey();
      const keys = [first, ...Array.from({ length: 3 }, () => stand.accounts.createKey(shared(first)))];
      // In waves, because a listener queues at most 511 connections and others would wait for seconds.
      for (let wave = 1; wave <= 4; wave += 1) {
        for (let i = 0; i < SHARE / 4; i += 1) {
          const { key, principal } = keys[i % keys.length]!;
          trickle({ 'x-api-key': key }, principal.workspace_id);
        }
        await eventually(() => inFlight === (wave * SHARE) / 4);
      }
      for (const key of keys) {
        const { status, body, headers } = await exportAs(key);
        expect([status, body, headers['retry-after']]).toMatchObject([
          429,
          { error: 'RATE_LIMITED', reason: 'concurrency' },
          '1',
        ]);
      }
      const labels = ['upstream="transfer"', 'reason="share_taken"'];
      expect(await stand.metric('waymark_concurrency_refused_total', ...labels)).toBe(keys.length);
      const other = stand.accounts.createKey();
      expect((await exportAs(other)).status).toBe(200);
      // Refusals by the gateway are not failures of the service.
      expect(await stand.metric('waymark_circuit_open', 'upstream="transfer"')).toBe(0);
      held[0]!.destroy();
      await eventually(async () => (await exportAs(first)).status === 200);
    },
  );
});
