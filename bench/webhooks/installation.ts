import { type EventEnvelope, newId } from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime, type Runtime } from '@waymark/service-kit/runtime';
import { sampleDecision } from '@waymark/testing';
import { type Db, MongoClient } from 'mongodb';
import { callApi } from '../../dev/api.ts';
import { type NewWorkspace, newWorkspace } from '../../dev/new-workspace.ts';
import { secretsFor } from '../../dev/secrets.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { processorMs } from '../support/processor-ms.ts';

/** The product as separate processes with its own stores. */
export interface Installation {
  baseUrl: string;
  /** Publishes events like a service. */
  publisher: Runtime;
  /** The database of the webhooks service. */
  webhooks: Db;
  createWorkspace(): Promise<NewWorkspace>;
  createWebhook(workspace: NewWorkspace, url: string): Promise<string>;
  setEnabled(workspace: NewWorkspace, webhookId: string, enabled: boolean): Promise<void>;
  /** Returns the processor time so far, in milliseconds, of the processes that handle a delivery. */
  cpuTimes(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export const sample = {
  title: 'Which store keeps our decisions?',
  description: 'The store must keep what it acknowledged through any crash, and run on one laptop.',
  options_considered: ['MongoDB', 'PostgreSQL'],
  tags: ['infrastructure'],
};

/** The event of a decision's creation. */
export function eventOf(workspaceId: string): EventEnvelope {
  const id = newId();
  return {
    id: newId(),
    type: 'decision.created',
    version: 1,
    time: new Date().toISOString(),
    workspace_id: workspaceId,
    actor: { type: 'api_key', id: newId(), name: 'bench', key_prefix: 'wmk_bench0' },
    action: null,
    request_id: newId(),
    ip: null,
    user_agent: null,
    subject: { type: 'decision', id, version: 1 },
    data: sampleDecision({ id, workspace_id: workspaceId, ...sample }),
    changes: null,
  };
}

export async function startInstallation(): Promise<Installation> {
  const product = await startTemporaryProduct({
    only: ['accounts', 'decisions', 'audit', 'webhooks'],
    env: { LIMIT_SCALE: '1000000', WEBHOOK_MAX_PER_SECOND: '10000' },
  });
  const { services, stores, secrets } = product;
  const { baseUrl } = services;
  const mongo = new MongoClient(stores.mongoUrl, { writeConcern: { w: 1 } });
  const environment = { ...secretsFor('decisions', secrets), NATS_URL: stores.natsUrl, LOG_LEVEL: 'warn' };
  const publisher = openRuntime('decisions', readEnvironment(baseEnvironment('decisions'), environment));
  const measured: [string, () => number | undefined][] = [
    ['webhooks', () => services.processes.find(({ service }) => service === 'webhooks')?.process.pid],
    ['mongod', () => stores.mongo?.pid],
    ['nats', () => stores.nats?.pid],
  ];
  let users = 0;

  return {
    baseUrl,
    publisher,
    webhooks: mongo.db('waymark_webhooks'),
    createWorkspace: () => newWorkspace(baseUrl, `bench${users++}`),
    async createWebhook({ workspaceId, cookie }, url) {
      const created = await callApi<{ id: string }>(`${baseUrl}/webhooks`, {
        method: 'POST',
        headers: { cookie },
        body: { workspaceId, url, events: ['decision.created'] },
      });
      return created.body.id;
    },
    async setEnabled({ cookie }, webhookId, enabled) {
      const headers = { cookie };
      await callApi(`${baseUrl}/webhooks/${webhookId}`, { method: 'PATCH', headers, body: { enabled } });
    },
    async cpuTimes() {
      const times: Record<string, number> = {};
      for (const [name, pidOf] of measured) {
        const ms = await processorMs(pidOf());
        if (ms !== undefined) times[name] = ms;
      }
      return times;
    },
    async stop() {
      await publisher.close();
      await mongo.close();
      await product.stop();
    },
  };
}

const BATCH = 5_000;

/** Pending deliveries to ten endpoints of a workspace of their own, due in three hours. */
export async function insertBacklog(installation: Installation, count: number): Promise<void> {
  const workspace = await installation.createWorkspace();
  const webhookIds: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    webhookIds.push(await installation.createWebhook(workspace, 'http://127.0.0.1:4000'));
  }
  const deliveries = installation.webhooks.collection<{ _id: string }>('deliveries');
  const due = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const record = (webhook_id: string) => {
    const { id, type, time, data } = eventOf(workspace.workspaceId);
    return {
      _id: newId(),
      workspace_id: workspace.workspaceId,
      webhook_id,
      event_id: id,
      event_type: type,
      status: 'pending',
      series: 1,
      attempt: 1,
      max_attempts: 5,
      next_attempt_at: due,
      created_at: time,
      finished_at: null,
      payload: JSON.stringify({ id, type, created_at: time, workspace_id: workspace.workspaceId, data }),
      attempts: [],
      queue: webhook_id,
      due_at: due,
      lease: null,
    };
  };
  for (let done = 0; done < count; done += BATCH) {
    const length = Math.min(BATCH, count - done);
    await deliveries.insertMany(
      Array.from({ length }, (_, i) => record(webhookIds[i % webhookIds.length]!)),
      { ordered: false },
    );
  }
}
