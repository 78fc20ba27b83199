import { type EventEnvelope, newId } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';

/** An audited change of a decision, in a new workspace. */
export function sampleEvent(overrides: Partial<EventEnvelope> = {}): EventEnvelope {
  const workspace_id = overrides.workspace_id ?? newId();
  return {
    id: newId(),
    type: 'decision.updated',
    version: 1,
    time: new Date().toISOString(),
    workspace_id,
    actor: { type: 'api_key', id: newId(), name: 'Release bot', key_prefix: 'wmk_Ab3dEf' },
    action: 'decision.update',
    request_id: 'request-0123456789',
    ip: '203.0.113.7',
    user_agent: 'curl/8.9\u2028second line',
    subject: { type: 'decision', id: newId(), version: 2 },
    data: sampleDecision({ workspace_id }),
    changes: {
      title: { before: 'Use Postgres', after: { $set: 1, 'a.b': [null, 'ü'], _bsontype: 'ObjectId' } },
    },
    ...overrides,
  };
}

/** `count` events of one workspace. */
export function sampleEvents(count: number, overrides: Partial<EventEnvelope> = {}): EventEnvelope[] {
  const workspace = { workspace_id: overrides.workspace_id ?? newId() };
  return Array.from({ length: count }, () => sampleEvent({ ...overrides, ...workspace }));
}
