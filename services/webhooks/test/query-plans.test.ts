import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { answer, eventually } from '@waymark/testing';
import type { Document } from 'mongodb';
import type { DeliveryRecord } from '../src/store/index.ts';
import { useWebhookStack } from './webhook-stack.ts';

/** Far more than any query may look at; bench/webhooks/webhooks.ts has a million. */
const BACKLOG = Number(process.env['WEBHOOK_TEST_BACKLOG'] ?? 20_000);
const ENDPOINTS = 10;
const BATCH = 5_000;
/** Endpoints that the workspace has deleted. */
const TOMBSTONES = 3_000;
/** The most that a query may examine: a claim takes 64, a transaction 500. */
const EXAMINED_MAX = 1_500;

const stack = await useWebhookStack({ env: { WEBHOOK_CONCURRENCY: '4' } });

/** Pending deliveries of ten endpoints, due in an hour, in the workspace itself. */
async function insertBacklog(workspaceId: string): Promise<void> {
  const due = new Date(stack.clock.ms + 3_600_000).toISOString();
  const webhookIds = Array.from({ length: ENDPOINTS }, () => newId());
  const record = (i: number): Omit<DeliveryRecord, 'id'> & { _id: string } => ({
    _id: newId(),
    workspace_id: workspaceId,
    webhook_id: webhookIds[i % ENDPOINTS]!,
    event_id: newId(),
    event_type: 'decision.created',
    status: 'pending',
    series: 1,
    attempt: 1,
    max_attempts: 5,
    next_attempt_at: due,
    created_at: due,
    finished_at: null,
    payload: '{}',
    attempts: [],
    queue: webhookIds[i % ENDPOINTS]!,
    due_at: due,
    lease: null,
  });
  const deliveries = stack.database.collection<{ _id: string }>('deliveries');
  for (let done = 0; done < BACKLOG; done += BATCH) {
    await deliveries.insertMany(Array.from({ length: Math.min(BATCH, BACKLOG - done) }, (_, i) => record(i)));
  }
}

async function insertTombstones(workspaceId: string): Promise<void> {
  const deleted_at = stack.clock.inMs(0);
  const endpoints = stack.database.collection<{ _id: string }>('endpoints');
  await endpoints.insertMany(
    Array.from({ length: TOMBSTONES }, () => ({ _id: newId(), workspace_id: workspaceId, deleted_at })),
  );
}

/** Returns the service's queries as MongoDB ran them. */
async function profiled(): Promise<Document[]> {
  const namespaces = ['deliveries', 'endpoints', 'workspaces'].map(
    (name) => `${stack.database.databaseName}.${name}`,
  );
  const found = await stack.database
    .collection('system.profile')
    .find({ ns: { $in: namespaces } })
    .toArray();
  return found.filter(({ op }) => op !== 'insert' && op !== 'getmore');
}

describe(`with ${BACKLOG} pending deliveries and ${TOMBSTONES} deleted endpoints`, () => {
  it('no query that sends, retries, holds, cancels, replays or lists examines more than it takes', async () => {
    const workspace = stack.workspace();
    await insertBacklog(workspace.id);
    await insertTombstones(workspace.id);
    await stack.database.command({ profile: 2 });

    const webhook = await workspace.createWebhook(stack.receiver.url);
    const path = `/webhooks/${webhook.id}`;
    stack.receiver.behaveEach((_, n) => answer(n < 10 ? 500 : 200));
    await workspace.publishMany(100);
    await workspace.stats(webhook.id, { delivered: 90, pending: 10 });
    stack.clock.advance(31_000);
    await workspace.stats(webhook.id, { delivered: 100 });
    stack.receiver.behave(answer(400));
    await workspace.publish();
    await workspace.stats(webhook.id, { failed: 1 });
    const since = new Date(stack.clock.ms - 3_600_000).toISOString();
    expect((await workspace.call('POST', `${path}/replay`, { body: { since } })).status).toBe(202);
    await workspace.stats(webhook.id, { failed: 1, pending: 0 });
    await workspace.call('GET', `/webhooks?workspaceId=${workspace.id}`);
    await workspace.call('GET', `${path}/deliveries?status=delivered&event=decision.created`);
    await workspace.call('PATCH', path, { body: { enabled: false } });
    await workspace.publish();
    await workspace.stats(webhook.id, { held: 1 });
    await workspace.call('DELETE', path);
    await eventually(async () =>
      expect(await stack.store.counters.read(webhook.id)).toMatchObject({ held: 0, cancelled: 1 }),
    );
    // The service itself runs this once a minute, perhaps not during the test.
    await stack.store.endpoints.dropOldSecrets(stack.clock.inMs(0));

    const queries = await profiled();
    await stack.database.command({ profile: 0 });
    const faults = queries
      .filter(
        ({ planSummary = '', keysExamined = 0, docsExamined = 0 }) =>
          planSummary.includes('COLLSCAN') || keysExamined > EXAMINED_MAX || docsExamined > EXAMINED_MAX,
      )
      .map(({ command, planSummary, keysExamined, docsExamined }) =>
        JSON.stringify({ planSummary, keysExamined, docsExamined, command }).slice(0, 600),
      );
    expect(faults).toEqual([]);
    // The profile contains the sweep, claims, results and holds.
    const plans = new Set(queries.map(({ planSummary }) => String(planSummary)));
    expect([...plans].join()).toContain('DISTINCT_SCAN { queue: 1, due_at: 1 }');
    expect([...plans].join()).toContain('IXSCAN { queue: 1, due_at: 1 }');
    expect([...plans].join()).toContain('IXSCAN { workspace_id: 1, deleted_at: 1, _id: 1 }');
  });
});
