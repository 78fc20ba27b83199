import type http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { begin } from './raw-client.ts';
import { useStand } from './stand.ts';

/** The share of one caller: half of the requests that may be in flight to one service. */
const SHARE = 256;
/** The start of an upload, large enough that the upload counts as in flight. */
const BEGUN = Buffer.alloc(100_000, ' ');

const stand = useStand({ env: { LIMIT_SCALE: '1000' } });
let held: http.ClientRequest[];
/** Uploads that the service is receiving. */
let inFlight: number;
beforeEach(() => {
  [held, inFlight] = [[], 0];
  stand.decisions.respond = (request, response) => {
    if (request.method === 'GET') return response.end('{}');
    inFlight += 1;
    response.on('close', () => (inFlight -= 1));
  };
});
afterEach(async () => {
  for (const request of held) request.destroy();
  await eventually(() => inFlight === 0);
});

/** Starts an import whose file never ends. */
function trickle({ key, principal }: DoubledKey): void {
  const { request } = begin(`${stand.url}/v1/imports?workspaceId=${principal.workspace_id}`, 'POST', {
    'x-api-key': key,
    'content-type': 'application/json',
    'content-length': '1000000000',
  });
  request.write(BEGUN);
  held.push(request);
}

const exportAs = ({ key, principal }: DoubledKey) =>
  stand.call('GET', '/export', { key, query: { workspaceId: principal.workspace_id } });

const LABELS = ['upstream="transfer"', 'reason="share_taken"'];
/** Returns how many requests were refused. A counter is absent before its first count. */
const refused = async () => (await stand.metric('waymark_concurrency_refused_total', ...LABELS)) || 0;

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
        for (let i = 0; i < SHARE / 4; i += 1) trickle(keys[i % keys.length]!);
        await eventually(() => inFlight === (wave * SHARE) / 4);
      }
      const before = await refused();
      for (const key of keys) {
        const { status, body, headers } = await exportAs(key);
        expect([status, body, headers['retry-after']]).toMatchObject([
          429,
          { error: 'RATE_LIMITED', reason: 'concurrency' },
          '1',
        ]);
      }
      expect(await refused()).toBe(before + keys.length);
      const other = stand.accounts.createKey();
      expect((await exportAs(other)).status).toBe(200);
      // Refusals by the gateway are not failures of the service.
      expect(await stand.metric('waymark_circuit_open', 'upstream="transfer"')).toBe(0);
      held[0]!.destroy();
      await eventually(async () => (await exportAs(first)).status === 200);
    },
  );
});
