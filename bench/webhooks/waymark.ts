import { type EventEnvelope, eventStream, newId } from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime } from '@waymark/service-kit/runtime';
import { eventually, httpCall, sampleDecision, sampleEvent } from '@waymark/testing';
import { secretsFor } from '../../dev/secrets.ts';
import { startBench } from '../support/bench.ts';
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
  const bench = await startBench({
    only: ['accounts', 'decisions', 'audit', 'webhooks'],
    env: { WEBHOOK_MAX_PER_SECOND: '10000' },
  });
  const { stores, secrets, baseUrl } = bench;
  const { workspaceId, key, cookie } = await bench.workspace();
  const webhook = { workspaceId, url: endpointUrl, events: ['decision.created'] };
  await bench.call('POST', '/webhooks', { headers: { cookie }, body: webhook });
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
      const answer = await httpCall(baseUrl, 'POST', '/decisions', {
        agent,
        headers: { authorization: `Bearer ${key}` },
        query: { workspaceId },
        body: newDecision,
      });
      return answer.status === 201 ? answer.body.id : null;
    },
    async stop() {
      await publisher.close();
      await bench.stop();
    },
  };
}
