import { describe, expect, it } from '@jest/globals';
import { eventually, httpCall } from '@waymark/testing';
import { startStand } from './stand.ts';

/** Long enough to see the failing readiness, even on a busy machine. */
const DRAIN_DELAY_MS = '3000';

describe('the probes on the public port', () => {
  it('answer without a limit, a log line or a count, and readiness fails while the gateway drains', async () => {
    const stand = await startStand({ env: { DRAIN_DELAY_MS } });
    const probe = (path: string, method = 'GET') => httpCall(stand.url, method, path);
    try {
      for (const path of ['/healthz', '/readyz', '/readyz?verbose']) {
        const answer = await probe(path);
        expect(answer).toMatchObject({ status: 200, text: 'ok\n' });
        expect(answer.headers).toMatchObject({
          'cache-control': 'no-store',
          'content-type': 'text/plain; charset=utf-8',
          'x-content-type-options': 'nosniff',
        });
        expect(Object.keys(answer.headers).filter((name) => /rate-?limit/.test(name))).toEqual([]);
        expect(await probe(path, 'HEAD')).toMatchObject({ status: 200, text: '' });
      }
      expect(await stand.metric('waymark_request_duration_seconds_count', 'operation="unknown"')).toBeNaN();
      expect((await probe('/healthz', 'POST')).status).toBe(404);
      const stopped = stand.gateways[0]!.stop();
      await eventually(async () => (await probe('/readyz')).status === 503);
      const draining = await probe('/readyz');
      expect([draining.text, draining.headers['connection']]).toEqual(['draining\n', 'close']);
      expect((await probe('/healthz')).status).toBe(200);
      await stopped;
    } finally {
      await stand.stop();
    }
  });

  it('can be disabled', async () => {
    const stand = await startStand({ env: { PUBLIC_HEALTH: 'false' } });
    try {
      for (const path of ['/healthz', '/readyz'])
        expect((await httpCall(stand.url, 'GET', path)).status).toBe(404);
    } finally {
      await stand.stop();
    }
  });
});
