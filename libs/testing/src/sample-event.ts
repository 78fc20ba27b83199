import { type EventEnvelope, newId, operationList, publisherOf } from '@waymark/contracts';
import { sampleDecision } from './sample-decision.ts';

/** Returns the creation of a decision in a new workspace, with the fields that a test sets. */
export function sampleEvent(given: Partial<EventEnvelope> = {}): EventEnvelope {
  const { type = 'decision.created' } = given;
  const ofPublisher = operationList.find(({ audit, service }) => audit && service === publisherOf(type));
  const workspace_id = given.workspace_id ?? newId();
  return {
    id: newId(),
    type,
    version: 1,
    time: new Date().toISOString(),
    workspace_id,
    actor: { type: 'api_key', id: newId(), name: 'Release bot', key_prefix: 'wmk_Ab3dEf' },
    action: ofPublisher?.audit ?? null,
    request_id: 'request-0123456789',
    ip: '203.0.113.7',
    user_agent: 'curl/8.9',
    subject: { type: 'decision', id: newId(), version: 1 },
    data: sampleDecision({ workspace_id }),
    changes: null,
    ...given,
  };
}
