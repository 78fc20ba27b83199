import { BASE_PATH, type EventEnvelope, eventStream, newId } from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime } from '@waymark/service-kit/runtime';
import { eventually, httpCall, sampleDecision, sampleEvent } from '@waymark/testing';
import { callApi } from '../../dev/api.ts';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { secretsFor } from '../../dev/secrets.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import { newDecision } from '../support/new-decision.ts';
import type { Source } from './load.ts';

/** The event of a decision's creation. */
export function eventOf(workspaceId: string): EventEnvelope {
  const id = newId();
  const { optionsConsidered: options_considered, ...fields } = newDecision;
  return sampleEvent({
    workspace_id: workspaceId,
    subject: { type: 'decision', id, version: 1 },
    data: sampleDecision({ id, workspace_id: workspaceId, ...fields, options_considered }),
  });
}

/** Starts the product as separate processes, with one endpoint of one workspace. */
export async function startWaymark(endpointUrl: string): Promise<Source> {
  const product = await startTemporaryProduct({
    only: ['accounts', 'decisions', 'audit', 'webhooks'],
    env: { LIMIT_SCALE: '1000000', WEBHOOK_MAX_PER_SECOND: '10000' },
  });
  const { services, stores, secrets } = product;
  const { baseUrl } = services;
  const { workspaceId, key, cookie } = await newWorkspace(baseUrl, 'bench');
  await callApi(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { cookie },
    body: { workspaceId, url: endpointUrl, events: ['decision.created'] },
  });
  const environment = { ...secretsFor('decisions', secrets), NATS_URL: stores.natsUrl, LOG_LEVEL: 'warn' };
  const publisher = openRuntime('decisions', readEnvironment(baseEnvironment('decisions'), environment));
  const stream = eventStream('waymark');
  const js = await eventually(() => publisher.nats.jetstream() ?? Promise.reject(new Error('NATS is away')));
  return {
    async publish() {
      const event = eventOf(workspaceId);
      await js.publish(stream.subject(event.type), JSON.stringify(event), { msgID: event.id });
    },
    async call(agent) {
      const answer = await httpCall(baseUrl.replace(BASE_PATH, ''), 'POST', `${BASE_PATH}/decisions`, {
        agent,
        headers: { authorization: `Bearer ${key}` },
        query: { workspaceId },
        body: newDecision,
      });
      return answer.status === 201 ? answer.body.id : null;
    },
    async stop() {
      await publisher.close();
      await product.stop();
    },
  };
}
