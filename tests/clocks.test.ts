import { afterAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { eventually, httpCall, patience, startStack } from '@waymark/testing';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far the clock of the second gateway is ahead of the others. */
let aheadMs = 0;

const product = await startStack({
  accounts: startAccounts,
  decisions: startDecisions,
  gateway: startGateway,
});
const gateway = await startGateway({ ...product.env, PORT: '0' }, { now: () => Date.now() + aheadMs });
afterAll(async () => {
  await gateway.stop();
  await product.stop();
});

/** Returns how far the second gateway reports to be ahead of accounts, in seconds. */
async function skew(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${gateway.adminPort}/metrics`);
  const sample = /^waymark_clock_skew_seconds\{against="accounts",service="gateway"\} (\S+)$/m;
  return Number(sample.exec(await response.text())?.[1]);
}

describe('a service whose clock differs from the others', () => {
  it.each([-HOUR_MS, DAY_MS])('by %d ms is called, and stores times by MongoDB’s clock', async (ms) => {
    const { now } = Date;
    const MONGODB_DATABASE = `${product.env['NATS_PREFIX']}_decisions`;
    Date.now = () => now() + ms;
    const starting = startDecisions({ ...product.env, PORT: '0', MONGODB_DATABASE });
    Date.now = now;
    const decisions = await starting;
    const own = await startGateway({ ...product.env, PORT: '0', DECISIONS_URL: decisions.url });
    try {
      const { cookie, workspaceId } = await product.workspace();
      const answer = await httpCall(own.url, 'POST', `/v1/decisions?workspaceId=${workspaceId}`, {
        headers: { cookie, origin: String(product.env['PUBLIC_URL']) },
        body: { title: 'Synchronise the clocks' },
      });
      expect(answer.status).toBe(201);
      expect(Math.abs(Date.parse(answer.body.created_at) - now())).toBeLessThan(patience(60_000));
    } finally {
      await own.stop();
      await decisions.stop();
    }
  });
});

describe('a gateway whose clock is an hour ahead', () => {
  it('accepts a key that expires in half an hour, because accounts decides', async () => {
    const owner = await product.workspace();
    const expiresAt = new Date(Date.now() + HOUR_MS / 2).toISOString();
    const key = await product.createKey(owner, ['read'], { expiresAt });
    aheadMs = HOUR_MS;
    const headers = { authorization: `Bearer ${key}` };
    const answer = await httpCall(gateway.url, 'GET', `/v1/decisions?workspaceId=${owner.workspaceId}`, {
      headers,
    });
    aheadMs = 0;
    expect(answer.status).toBe(200);
  });
});

describe('a gateway whose clock is set back by an hour', () => {
  it('answers 503 to valid keys until its clock is right again, and reports the difference', async () => {
    const { key, workspaceId } = await product.workspace();
    const list = () =>
      httpCall(gateway.url, 'GET', `/v1/decisions?workspaceId=${workspaceId}`, {
        headers: { authorization: `Bearer ${key}` },
      });
    expect((await list()).status).toBe(200);
    expect(await skew()).toBe(0);

    aheadMs = -HOUR_MS;
    const refused = await list();
    expect([refused.status, refused.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await skew()).toBeCloseTo(-3_600, -1);

    aheadMs = 0;
    await eventually(async () => expect((await list()).status).toBe(200));
    expect(await skew()).toBe(0);
  });
});
