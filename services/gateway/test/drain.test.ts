import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { eventually, httpCall } from '@waymark/testing';
import { startStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

/** Long enough to notice the failing readiness and to send a request, even on a busy machine. */
const DRAIN_DELAY_MS = '3000';

describe('a gateway that is stopped', () => {
  it('fails readiness, finishes requests in flight and later ones, and closes connections', async () => {
    const stand = await startStand({ env: { DRAIN_DELAY_MS } });
    try {
      const { key, principal } = stand.accounts.createKey();
      const input = { key, query: { workspaceId: principal.workspace_id } };
      expect((await stand.call('GET', '/decisions', input)).headers['connection']).toBe('keep-alive');
      const waiting: (() => void)[] = [];
      stand.decisions.respond = (_, response) => waiting.push(() => response.end('{}'));
      const inFlight = stand.call('GET', '/decisions', input);
      await eventually(() => waiting.length === 1);
      const stopped = stand.gateways[0]!.stop();
      const readiness = () => httpCall(`http://127.0.0.1:${stand.gateways[0]!.adminPort}`, 'GET', '/readyz');
      await eventually(async () => (await readiness()).status === 503);
      stand.decisions.respond = answerEmpty;
      const late = await stand.call('GET', '/decisions', input);
      expect([late.status, late.headers['connection']]).toEqual([200, 'close']);
      waiting[0]!();
      expect((await inFlight).status).toBe(200);
      await stopped;
      await expect(stand.call('GET', '/whoami', { key })).rejects.toThrow();
    } finally {
      await stand.stop();
    }
  });

  it('loses no request of busy clients', async () => {
    const stand = await startStand({ env: { DRAIN_DELAY_MS, LIMIT_SCALE: '1000' } });
    const agent = new http.Agent({ keepAlive: true });
    try {
      const { key } = stand.accounts.createKey();
      let isDown = false;
      const statuses: number[] = [];
      const clients = Array.from({ length: 8 }, async () => {
        // Like a load balancer, sends no new request to a gateway that fails readiness.
        while (!isDown) {
          const answer = await httpCall(stand.url, 'GET', '/v1/whoami', {
            agent,
            headers: { 'x-api-key': key },
          });
          statuses.push(answer.status);
        }
      });
      await eventually(() => statuses.length > 50);
      const stopped = stand.gateways[0]!.stop();
      const admin = `http://127.0.0.1:${stand.gateways[0]!.adminPort}`;
      await eventually(async () => (await httpCall(admin, 'GET', '/readyz')).status === 503);
      isDown = true;
      await Promise.all(clients);
      await stopped;
      expect([...new Set(statuses)]).toEqual([200]);
    } finally {
      agent.destroy();
      await stand.stop();
    }
  });
});
