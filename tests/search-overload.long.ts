import { afterAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { newId } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { startSearch } from '@waymark/search';
import { type Answer, eventually, httpCall, patience, startStack } from '@waymark/testing';
import { MongoClient } from 'mongodb';

/**
 * MongoDB takes longer than this to scan the large workspace for all callers concurrently. A refusal takes a
 * tenth of it, so the machine may become several times slower during the test.
 */
const ANSWER_TIMEOUT_MS = patience(30_000);
const CALLERS = 40;
const ITEMS = 50;
const ITEM_CHARACTERS = 2 * 1024 * 1024;
/** Occurs nowhere, although all but its last character matches at every offset. */
const ABSENT = `${'a'.repeat(199)}b`;

const services = {
  accounts: startAccounts,
  decisions: startDecisions,
  search: startSearch,
  gateway: startGateway,
};
// Too small for an index of the large workspace, so that its searches scan.
const env = {
  INDEX_MEBIBYTES: '16',
  SCAN_TIMEOUT_MS: '1200',
  UPSTREAM_RESPONSE_TIMEOUT_MS: String(ANSWER_TIMEOUT_MS),
};
const product = await startStack(services, { env });
const mongo = new MongoClient(String(product.env['MONGODB_URL']));
afterAll(async () => {
  await mongo.close();
  await product.stop();
});

interface Tenant {
  key: string;
  workspaceId: string;
}

const search = ({ key, workspaceId }: Tenant, q: string, limit = 20) =>
  product.call('GET', '/search', { key, query: { workspaceId, q, limit } });

async function metric(service: 'gateway' | 'search', name: string): Promise<number> {
  const { text } = await httpCall(
    `http://127.0.0.1:${product.running[service]!.adminPort}`,
    'GET',
    '/metrics',
  );
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}

async function smallWorkspace(): Promise<Tenant> {
  const tenant = await product.workspace();
  const { key, workspaceId } = tenant;
  const body = { workspaceId, title: 'A needle' };
  expect((await product.call('POST', '/decisions', { key, body })).status).toBe(201);
  const byIndex = () => metric('search', 'waymark_search_answers_total{source="index"');
  const before = await byIndex();
  await eventually(async () => {
    expect((await search(tenant, 'NEEDLE')).body.decisions).toHaveLength(1);
    expect(await byIndex()).toBeGreaterThan(before);
  });
  return tenant;
}

/** Writes more text to the projection than an index may take. */
async function largeWorkspace(): Promise<Tenant> {
  const tenant = await product.workspace();
  const { workspaceId } = tenant;
  const database = mongo.db(`${product.env['NATS_PREFIX']}_search`);
  const folded = 'a'.repeat(ITEM_CHARACTERS);
  const payload = JSON.stringify({ fields: [['title', 'Aaa']], shown: { title: 'Aaa', status: 'proposed' } });
  for (let revision = 1; revision <= ITEMS; revision += 1) {
    const record = {
      kind: 'decision',
      id: newId(),
      version: 1,
      revision,
      created_ms: revision,
      position: revision,
    };
    const _id = `${workspaceId}/decision/${record.id}` as never;
    await database
      .collection('items')
      .insertOne({ _id, workspace_id: workspaceId, ...record, folded, payload });
  }
  const state = { epoch: newId(), revision: ITEMS, batches: 1 };
  await database.collection('workspaces').insertOne({ _id: workspaceId as never, ...state });
  return tenant;
}

describe('a workspace that is too large to scan', () => {
  it('returns 503 when its searches time out, and does not affect other workspaces', async () => {
    const small = await smallWorkspace();
    const large = await largeWorkspace();
    let isOver = false;
    const refused = Promise.all(Array.from({ length: CALLERS }, () => search(large, ABSENT))).finally(() => {
      isOver = true;
    });
    const others: Answer[] = [];
    while (!isOver) others.push(await search(small, 'needle'));
    for (const { status, body, headers } of await refused) {
      expect([status, body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      // The second message follows once the build has found that the index exceeds its limit.
      expect(body.message).toMatch(/index of this workspace is being built|too large for an index/);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(2);
    }
    others.push(await search(small, 'needle'));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    for (const { body } of others) expect(body.decisions).toHaveLength(1);
    expect(await metric('gateway', 'waymark_circuit_open{upstream="search"')).toBe(0);
    expect(await metric('gateway', 'waymark_upstream_errors_total')).toBe(0);
    expect(await metric('search', 'waymark_search_answers_total{source="none"')).toBe(CALLERS);
    // A search for a frequent text still succeeds: it reads a few records and needs a fraction of its time.
    const common = await search(large, 'aaa', 1);
    expect([common.status, common.body.decisions.length]).toEqual([200, 1]);
  });
});
