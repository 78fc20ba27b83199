import { expect } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import { eventually, httpCall } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { type NewWorkspace, newWorkspace } from '../../../dev/new-workspace.ts';
import { differences, expectNothingLost, none } from '../../crash/support/records.ts';
import { startWriters, type Writers } from '../../crash/support/writers.ts';
import type { FaultyProduct } from './faulty-product.ts';

/** A workspace with a webhook and with writers, whose acknowledged writes must be found everywhere. */
export interface Model extends NewWorkspace {
  writers: Writers;
  hookPath: string;
  hookSecret: string;
}

const WRITERS = 2;
/** Few, so that faults and not load delay the product on a busy machine. */
const PER_SECOND = 8;
/** How far a timestamp may be wrong while MongoDB's clock is. */
const CLOCK_STEP_MAX_SECONDS = 4_000;

export async function startModel(product: FaultyProduct, name: string): Promise<Model> {
  const { baseUrl } = product.services;
  const workspace = await newWorkspace(baseUrl, name);
  const hookPath = `/${name}`;
  const created = await httpCall(baseUrl, 'POST', '/webhooks', {
    headers: { cookie: workspace.cookie },
    body: {
      workspaceId: workspace.workspaceId,
      url: product.receiver.url + hookPath,
      events: ['decision.created'],
    },
  });
  expect(created.status).toBe(201);
  const { directory, proxiedUrl } = product;
  const options = { ...workspace, directory, count: WRITERS, perSecond: PER_SECOND, baseUrls: [proxiedUrl] };
  return { ...workspace, hookPath, hookSecret: created.body.secret, writers: startWriters(options) };
}

/**
 * Expects that records, repeated requests, deliveries, audit log and search match the acknowledged writes of
 * the workspace one to one, so that nothing of another workspace is among them.
 */
export async function checkModel(product: FaultyProduct, model: Model): Promise<void> {
  const { acknowledged } = model.writers.ledger;
  const ids = [...acknowledged.values()];
  await eventually(() => expect(differences(deliveredIds(product, model), ids)).toEqual(none)).catch(
    async (error) => {
      const { onlyLeft, onlyRight, twice } = differences(deliveredIds(product, model), ids);
      console.log(await traceOf(product, [...onlyLeft, ...onlyRight, ...twice]));
      throw error;
    },
  );
  for (const [idempotencyKey, id] of acknowledged) {
    const repeated = await eventually(async () => {
      const answer = await model.writers.repeat(idempotencyKey);
      return answer?.status === 503 ? false : (answer ?? false);
    });
    expect(repeated && [repeated.status, repeated.body.id]).toEqual([201, id]);
  }
  const headers = { authorization: `Bearer ${model.key}` };
  const workspace = {
    workspaceId: model.workspaceId,
    call: (method: string, path: string, input = {}) =>
      httpCall(product.proxiedUrl, method, path, { headers, ...input }),
  };
  await eventually(() => expectNothingLost(workspace, model.writers.ledger));
  await eventually(async () => expect(differences(await foundIds(workspace), ids)).toEqual(none));
}

/** Returns the ids of the decisions that the workspace's webhook got, each once. Checks each signature. */
function deliveredIds({ receiver }: FaultyProduct, { hookPath, hookSecret, workspaceId }: Model): string[] {
  const deliveries = new Map<string, string>();
  for (const { path, rawBody, headers } of receiver.requests) {
    if (path !== hookPath) continue;
    const options = { toleranceSeconds: CLOCK_STEP_MAX_SECONDS };
    const { id, payload } = verifyWebhook(rawBody, headers, hookSecret, options);
    expect(payload.workspace_id).toBe(workspaceId);
    deliveries.set(id, (payload.data as { id: string }).id);
  }
  return [...deliveries.values()];
}

/** Returns what is stored of events and deliveries that name these decisions: how far they came. */
async function traceOf({ stores }: FaultyProduct, decisionIds: string[]): Promise<string> {
  const client = new MongoClient(stores.mongo.url);
  const stored = (database: string, collection: string) =>
    client
      .db(database)
      .collection(collection)
      .find({ payload: new RegExp(decisionIds.join('|')) }, { limit: 20 })
      .toArray();
  try {
    const found = [stored('waymark_decisions', 'outbox'), stored('waymark_webhooks', 'deliveries')];
    return JSON.stringify(await Promise.all(found), null, 2);
  } finally {
    await client.close();
  }
}

/** Returns the ids of all decisions that a search finds. */
async function foundIds(workspace: { workspaceId: string; call: FaultyProduct['call'] }): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const query = { workspaceId: workspace.workspaceId, q: 'Decision', limit: 100 };
    const answer = await workspace.call('GET', '/search', { query: { ...query, ...(cursor && { cursor }) } });
    expect(answer.status).toBe(200);
    found.push(...answer.body.decisions.map(({ id }: { id: string }) => id));
    cursor = answer.body.next_cursors.decisions;
  } while (cursor);
  return found;
}
