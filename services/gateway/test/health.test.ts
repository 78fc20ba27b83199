import { describe, expect, it } from '@jest/globals';
import { httpCall } from '@waymark/testing';
import { startStand } from './stand.ts';

/** Readiness while the gateway drains is in drain.test.ts. */
describe('the probes on the public port', () => {
  it('answer without a limit, a log line or a count', async () => {
    await using stand = await startStand();
    const probe = (path: string, method = 'GET') => httpCall(stand.url, method, path);
    for (const path of ['/healthz', '/readyz', '/readyz?verbose']) {
      const answer = await probe(path);
      expect(answer).toMatchObject({ status: 200, text: 'ok\n' });
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(Object.keys(answer.headers).filter((name) => /rate-?limit/.test(name))).toEqual([]);
      expect(await probe(path, 'HEAD')).toMatchObject({ status: 200, text: '' });
    }
    expect(await stand.metric('waymark_request_duration_seconds_count', 'operation="unknown"')).toBeNaN();
    expect((await probe('/healthz', 'POST')).status).toBe(404);
  });

  it('can be disabled', async () => {
    await using stand = await startStand({ env: { PUBLIC_HEALTH: 'false' } });
    for (const path of ['/healthz', '/readyz'])
      expect((await httpCall(stand.url, 'GET', path)).status).toBe(404);
  });
});
