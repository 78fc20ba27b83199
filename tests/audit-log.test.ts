import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Stack } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startProduct } from './support/product.ts';

let product: Stack;
beforeAll(async () => {
  // The clock does not advance, so no sweep republishes an event: only the commit publishes each entry's
  // event.
  const stoppedAt = Date.now();
  product = await startProduct({}, { now: () => stoppedAt });
  await published('decisions');
});
afterAll(() => product.stop());

/** Resolves when a service has published the events of its start. After that, only commits publish. */
async function published(service: string): Promise<void> {
  const mongo = await MongoClient.connect(String(product.env['MONGODB_URL']));
  const meta = mongo.db(`${product.env['NATS_PREFIX']}_${service}`).collection('outbox_meta');
  await eventually(async () => expect(await meta.countDocuments()).toBe(1));
  await mongo.close();
}

describe('GET /audit-log', () => {
  it('returns the entry of a decision after its event arrives; to the owner also the address', async () => {
    const { key, workspaceId, cookie } = await product.workspace();
    const query = { workspaceId };
    const headers = { 'X-Request-Id': 'request-of-the-test', 'User-Agent': 'waymark-test/1' };
    const created = await product.call('POST', '/decisions', {
      key,
      query,
      headers,
      body: { title: 'Audited' },
    });
    const entryFor = async (by: { key: string } | { cookie: string }) => {
      const input = { ...by, query: { ...query, action: 'decision.create' } };
      const log = await product.call('GET', '/audit-log', input);
      expect(log.body.data).toHaveLength(1);
      return log.body.data[0];
    };
    const entry = await eventually(() => entryFor({ cookie }));
    expect(entry).toMatchObject({
      workspace_id: workspaceId,
      actor: { type: 'api_key', name: 'test key', key_prefix: key.slice(0, 10) },
      action: 'decision.create',
      resource_type: 'decision',
      resource_id: created.body.id,
      request_id: 'request-of-the-test',
      ip: '127.0.0.1',
      user_agent: 'waymark-test/1',
    });
    const withheld = { ip: null, user_agent: null, details_salt: null };
    expect(await entryFor({ key })).toEqual({ ...entry, ...withheld, withheld: Object.keys(withheld) });
  });

  it('lists the creation and revocation of keys, filtered by action and resource', async () => {
    const owner = await product.workspace();
    const { key, workspaceId, cookie } = owner;
    const keys = await product.call('GET', '/api-keys', { cookie, query: { workspaceId } });
    const doomed = await product.createKey(owner, ['read']);
    const list = await product.call('GET', '/api-keys', { cookie, query: { workspaceId } });
    const doomedId = list.body.data.find(
      (k: { key_prefix: string }) => k.key_prefix === doomed.slice(0, 10),
    ).id;
    expect((await product.call('DELETE', `/api-keys/${doomedId}`, { cookie })).status).toBe(204);
    await eventually(async () => {
      const query = { workspaceId, resourceType: 'api_key' };
      const log = await product.call('GET', '/audit-log', { key, query });
      const actions = log.body.data.map((entry: { action: string }) => entry.action);
      expect(actions).toEqual(['api_key.revoke', 'api_key.create', 'api_key.create']);
    });
    const revoked = await product.call('GET', '/audit-log', {
      key,
      query: { workspaceId, action: 'api_key.revoke' },
    });
    expect(revoked.body.data).toMatchObject([{ resource_id: doomedId }]);
    expect(keys.body.data).toHaveLength(1);
  });

  it('pages by cursor, newest first', async () => {
    const { key, workspaceId } = await product.workspace();
    for (const title of ['a', 'b', 'c']) {
      await product.call('POST', '/decisions', { key, query: { workspaceId }, body: { title } });
    }
    const query = { workspaceId, limit: 2 };
    await eventually(async () => {
      const all = await product.call('GET', '/audit-log', { key, query: { workspaceId } });
      expect(all.body.data.length).toBe(5);
    });
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await product.call('GET', '/audit-log', { key, query: { ...query, cursor } });
      seen.push(...page.body.data.map((entry: { seq: number }) => entry.seq));
      cursor = page.body.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it('returns 402 PLAN_GATE below the Business plan', async () => {
    const { cookie, workspaceId } = await product.signUp();
    const downgraded = await product.call('PUT', `/workspaces/${workspaceId}/plan`, {
      cookie,
      body: { plan: 'pro' },
    });
    expect(downgraded.status).toBe(200);
    const answer = await product.call('GET', '/audit-log', { cookie, query: { workspaceId } });
    expect([answer.status, answer.body.error]).toEqual([402, 'PLAN_GATE']);
  });

  it('verifies, exports as NDJSON, and records the export', async () => {
    const { key, workspaceId } = await product.workspace();
    const query = { workspaceId };
    await eventually(async () => {
      const log = await product.call('GET', '/audit-log', { key, query });
      expect(log.body.data).toHaveLength(2);
    });
    const verified = await product.call('GET', '/audit-log/verify', { key, query });
    expect(verified.body).toMatchObject({ valid: true, entries: 2, fault: null });
    const exported = await product.call('GET', '/audit-log/export', { key, query });
    const lines = exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, 2).map((line) => line.seq)).toEqual([1, 2]);
    expect(lines.at(-1)).toHaveProperty('head');
    await eventually(async () => {
      const log = await product.call('GET', '/audit-log', {
        key,
        query: { ...query, action: 'audit_log.export' },
      });
      expect(log.body.data).toHaveLength(1);
    });
  });
});
