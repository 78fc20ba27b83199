import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type DeliveryAttempt, deliveryStatuses, type WebhookStats } from '@waymark/contracts';
import {
  answer,
  eventually,
  hang,
  httpCall,
  type ReceivedRequest,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { armCrash } from './support/crash-point.ts';
import { startProductProcesses } from './support/product-processes.ts';
import { seeded, shuffled } from './support/seeded.ts';
import { startWriters } from './support/writers.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? 20261121);
/** Each victim is killed once per round. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 4);
const EVENTS_PER_SECOND = 50;
const WRITERS = 8;
/** Acknowledged writes between two kills. */
const BETWEEN_KILLS = [10, 80] as const;

/** The URL of a receiver is often as secret as a password. */
const SECRET_PATH = '/hooks/T0123/k4x8Qw';

interface StoredDelivery {
  _id: string;
  webhook_id: string;
  status: string;
  payload: string;
  attempts: DeliveryAttempt[];
}

const receivers: WebhookReceiver[] = [];
const webhookIds: string[] = [];
const secrets: string[] = [];
/** For each delivery, the number of requests without a recorded attempt when the service was killed. */
const inFlight = new Map<string, number>();

const product = await startProductProcesses({
  only: ['accounts', 'decisions', 'audit', 'webhooks'],
  entries: { webhooks: 'tests/crash/services/webhooks-main.ts' },
  // A lease lasts twice the timeout plus ten seconds: requests in flight at a kill are repeated within the
  // test.
  env: { WEBHOOK_TIMEOUT_MS: '1000', WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,2,2', WEBHOOK_MAX_ATTEMPTS: '20' },
});
const mongo = new MongoClient(product.stores.mongoUrl, { readConcern: { level: 'majority' } });
const deliveries = mongo.db('waymark_webhooks').collection<StoredDelivery>('deliveries');
const [steady, moody] = [await startWebhookReceiver(), await startWebhookReceiver()];
moody.behaveEach((_, n) => answer(n % 3 === 0 ? 503 : 204));
for (const receiver of [steady, moody]) {
  receivers.push(receiver);
  webhookIds.push(await createWebhook(receiver.url + SECRET_PATH));
}
afterAll(async () => {
  await mongo.close();
  await product.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

async function createWebhook(url: string): Promise<string> {
  const created = await httpCall(product.services.baseUrl, 'POST', '/webhooks', {
    headers: { cookie: product.cookie },
    body: { workspaceId: product.workspaceId, url, events: ['decision.created'] },
  });
  expect(created.status).toBe(201);
  secrets.push(created.body.secret, created.body.secret.slice('whsec_'.length));
  return created.body.id;
}

const service = () => product.processOf('webhooks');

/** The requests that the receivers got, by delivery. */
function received(): Map<string, ReceivedRequest[]> {
  const requests = receivers.flatMap((receiver) => receiver.requests);
  return Map.groupBy(requests, ({ headers }) => String(headers['webhook-id']));
}

/** For each delivery, the number of requests without a recorded attempt. */
async function unrecorded(): Promise<Map<string, number>> {
  const recorded = new Map<string, number>();
  for await (const { _id, attempts } of deliveries.find({ webhook_id: { $in: webhookIds } })) {
    recorded.set(_id, attempts.length);
  }
  return new Map([...received()].map(([id, requests]) => [id, requests.length - (recorded.get(id) ?? 0)]));
}

/** Notes the requests that the service sent but did not record before it was killed. */
async function noteInFlight(): Promise<void> {
  // When its sockets are closed, the receivers have read everything that it sent.
  await eventually(() => receivers.every((receiver) => receiver.connections() === 0));
  for (const [id, count] of await unrecorded()) inFlight.set(id, Math.max(count, inFlight.get(id) ?? 0));
}

/** What ends the service at some moment, and at its most critical ones. */
const crashes: (() => Promise<void>)[] = [
  () => service().kill('SIGKILL'),
  // Between a stored delivery and its acknowledgement.
  () => armCrash(product, 'webhooks', 'handled'),
  // After a request arrived, possibly before its delivery is stored.
  async () => {
    const [steady] = receivers;
    await new Promise<void>((resolve) => {
      steady!.behaveEach((_, n) => (n === 0 ? () => resolve(service().kill('SIGKILL')) : hang()));
    });
    steady!.behave(answer());
  },
];

const victims = [
  () => product.killStore('nats'),
  () => product.killStore('mongo'),
  ...crashes.map((crash) => async () => {
    await crash();
    await service().exited;
    await noteInFlight();
    await service().restart();
  }),
];

const decisionOf = ({ payload }: StoredDelivery) => JSON.parse(payload).data.id as string;

/** Expects one delivery per endpoint for every acknowledged event, and that each is delivered in the end. */
async function expectNothingLost(acknowledged: string[]): Promise<void> {
  for (const webhookId of webhookIds) {
    await eventually(async () =>
      expect(await deliveries.countDocuments({ webhook_id: webhookId })).toBe(acknowledged.length),
    );
    const stored = await eventually(async () => {
      const found = await deliveries.find({ webhook_id: webhookId }).toArray();
      expect(found.map(decisionOf).toSorted()).toEqual(acknowledged.toSorted());
      return found;
    });
    const states = new Set(stored.map(({ status }) => status));
    expect(['pending', 'delivered'].filter((status) => states.has(status))).toHaveLength(states.size);
  }
  await eventually(async () => {
    for (const webhookId of webhookIds) {
      expect(await deliveries.countDocuments({ webhook_id: webhookId, status: 'delivered' })).toBe(
        acknowledged.length,
      );
    }
  });
  const [steady, moody] = receivers.map(
    (receiver) => new Set(receiver.requests.map(({ body }) => body.data.id)),
  );
  expect([steady?.size, moody?.size]).toEqual([acknowledged.length, acknowledged.length]);
}

/** Expects a repeat only for a request that was in flight at a kill. Both have the same delivery id. */
async function expectNothingRepeated(): Promise<void> {
  const repeated = [...(await unrecorded())].filter(([, count]) => count !== 0);
  const beyond = repeated.filter(([id, count]) => count < 0 || count > (inFlight.get(id) ?? 0));
  expect(beyond).toEqual([]);
  for (const requests of received().values()) {
    expect(new Set(requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
  }
  const sent = [...inFlight.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${repeated.length} requests repeated, ${sent} in flight at the kills`);
}

/** Expects that the counters and the history match the documents. */
async function expectCountsToAddUp(): Promise<void> {
  for (const webhookId of webhookIds) {
    const { body } = await httpCall(product.services.baseUrl, 'GET', `/webhooks/${webhookId}/stats`, {
      headers: { cookie: product.cookie },
    });
    const counted: Partial<WebhookStats> = {
      accepted: await deliveries.countDocuments({ webhook_id: webhookId }),
    };
    for (const status of deliveryStatuses) {
      counted[status] = await deliveries.countDocuments({ webhook_id: webhookId, status });
    }
    const { history, ...counts } = body as WebhookStats;
    expect(counts).toEqual({ webhook_id: webhookId, ...counted });
    const [recorded] = await deliveries
      .aggregate([
        { $match: { webhook_id: webhookId } },
        { $group: { _id: null, attempts: { $sum: { $size: '$attempts' } } } },
      ])
      .toArray();
    const inHistory = history.map(
      ({ attempts_succeeded, attempts_failed }) => attempts_succeeded + attempts_failed,
    );
    expect(inHistory.reduce((sum, attempts) => sum + attempts, 0)).toBe(recorded?.['attempts'] ?? 0);
  }
}

/** Expects no secret and no path of an endpoint in the logs of crashes and outages. */
async function expectQuietLogs(): Promise<void> {
  const files = (await readdir(product.directory)).filter((name) => name.endsWith('.log'));
  expect(files).toContain('webhooks.log');
  for (const file of files) {
    const text = await readFile(join(product.directory, file), 'utf8');
    for (const secret of [...secrets, 'whsec_', SECRET_PATH]) {
      expect([file, text.includes(secret)]).toEqual([file, false]);
    }
  }
}

describe(`${ROUNDS * victims.length} kills of webhooks, NATS and MongoDB under ${EVENTS_PER_SECOND} events/s (seed ${SEED})`, () => {
  it('lose no event, and repeat only requests that were in flight', async () => {
    const random = seeded(SEED);
    const { services, key, workspaceId, directory } = product;
    const writers = startWriters({
      count: WRITERS,
      perSecond: EVENTS_PER_SECOND,
      baseUrls: [services.baseUrl],
      key,
      workspaceId,
      directory,
    });
    const [least, most] = BETWEEN_KILLS;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kill of shuffled(victims, random)) {
        await writers.afterMore(least + Math.floor(random() * (most - least)));
        await kill();
      }
    }
    await writers.stop();
    const acknowledged = [...writers.ledger.acknowledged.values()];
    await expectQuietLogs();
    await expectNothingLost(acknowledged);
    await expectNothingRepeated();
    await expectCountsToAddUp();
  });
});
