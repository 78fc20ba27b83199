import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { eventually, httpCall, patience } from '@waymark/testing';
import { startStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

/** Long enough to notice the failing readiness and to send a request; a service accepts at most 15 s. */
const DRAIN_DELAY_MS = String(Math.min(patience(1_500), 15_000));

describe('a gateway that is stopped', () => {
  it('fails readiness, finishes requests in flight and later ones, and closes connections', async () => {
    await using stand = await startStand({ env: { DRAIN_DELAY_MS, LIMIT_SCALE: '1000' } });
    const [gateway] = stand.gateways;
    const { key, principal } = stand.accounts.createKey();
    const input = { key, query: { workspaceId: principal.workspace_id } };
    expect((await stand.call('GET', '/decisions', input)).headers['connection']).toBe('keep-alive');
    const waiting: (() => void)[] = [];
    stand.decisions.respond = (_, response) => waiting.push(() => response.end('{}'));
    const inFlight = stand.call('GET', '/decisions', input);
    await eventually(() => waiting.length === 1);
    stand.decisions.respond = answerEmpty;

    // Like a load balancer, sends no new request to a gateway that fails readiness.
    let isDown = false;
    const statuses: number[] = [];
    const agent = new http.Agent({ keepAlive: true });
    const client = async () => {
      while (!isDown) {
        const headers = { 'x-api-key': key };
        statuses.push((await httpCall(stand.url, 'GET', '/v1/whoami', { agent, headers })).status);
      }
    };
    const busy = Promise.all(Array.from({ length: 8 }, client)).finally(() => agent.destroy());
    busy.catch(() => undefined);
    await eventually(() => statuses.length > 50);

    const stopped = gateway!.stop();
    const admin = `http://127.0.0.1:${gateway!.adminPort}`;
    await eventually(async () => (await httpCall(admin, 'GET', '/readyz')).status === 503);
    isDown = true;
    const readiness = await httpCall(stand.url, 'GET', '/readyz');
    expect([readiness.status, readiness.text]).toEqual([503, 'draining\n']);
    expect(readiness.headers['connection']).toBe('close');
    expect((await httpCall(stand.url, 'GET', '/healthz')).status).toBe(200);
    const late = await stand.call('GET', '/decisions', input);
    expect([late.status, late.headers['connection']]).toEqual([200, 'close']);
    await busy;
    waiting[0]!();
    expect((await inFlight).status).toBe(200);
    await stopped;
    expect([...new Set(statuses)]).toEqual([200]);
    await expect(stand.call('GET', '/whoami', { key })).rejects.toThrow();
  });
});
