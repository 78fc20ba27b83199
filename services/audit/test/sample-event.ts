import { type EventEnvelope, newId } from '@waymark/contracts';
import { sampleEvent as sampleOf } from '@waymark/testing';

/** An audited event: of a decision, or a `user.updated` for actions of accounts. */
export function sampleEvent(overrides: Partial<EventEnvelope> = {}): EventEnvelope {
  const action = overrides.action ?? 'decision.update';
  return sampleOf({
    type: action.startsWith('decision.') ? 'decision.updated' : 'user.updated',
    action,
    user_agent: 'curl/8.9\u2028second line',
    subject: { type: 'decision', id: newId(), version: 2 },
    changes: {
      title: { before: 'Use Postgres', after: { $set: 1, 'a.b': [null, 'ü'], _bsontype: 'ObjectId' } },
    },
    ...overrides,
  });
}

/** `count` events of one workspace. */
export function sampleEvents(count: number, overrides: Partial<EventEnvelope> = {}): EventEnvelope[] {
  const workspace = { workspace_id: overrides.workspace_id ?? newId() };
  return Array.from({ length: count }, () => sampleEvent({ ...overrides, ...workspace }));
}
