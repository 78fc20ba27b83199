import { describe, expect, it } from '@jest/globals';
import { concerns } from './concerns.ts';
import { queryKeys } from './query-keys.ts';

const change = (type: string, id = 'd1') =>
  ({ type, subject: { type: '', id, version: 1 }, decision_id: id }) as never;
const decisions = queryKeys.decisions('w');

describe('an event', () => {
  it.each([
    ['decision.updated', [...decisions, 'list', {}], true],
    ['decision.updated', [...decisions, 'overdue'], true],
    ['decision.updated', [...decisions, 'd1', 'history'], true],
    ['decision.updated', [...decisions, 'd2'], false],
    ['decision.updated', [...decisions, 'd2', 'page'], true],
    ['decisions.imported', queryKeys.metrics('w'), true],
    ['thread.message_created', [...queryKeys.threads('w'), 'decision', 'd1'], true],
    ['thread.message_created', [...queryKeys.threads('w'), 'decision', 'd2'], false],
    ['thread.message_created', [...queryKeys.threads('w'), 'n1'], false],
    ['messages.imported', [...queryKeys.threads('w'), 'decision', 'd2'], true],
    ['decision.created', queryKeys.workflows('w'), false],
    ['workflow.updated', queryKeys.workflows('w'), true],
    ['workflow.updated', [...queryKeys.workflows('w'), 'f', 'graph'], false],
    ['workspace.member_added', queryKeys.members('w'), true],
    ['api_key.created', queryKeys.apiKeys('w'), true],
    ['service_account.updated', queryKeys.serviceAccounts('w'), true],
    ['service_account.updated', queryKeys.apiKeys('w'), false],
    ['webhook.disabled', [...queryKeys.webhooks('w'), 'h'], true],
    ['webhook.disabled', [...queryKeys.webhooks('w'), 'event-types'], false],
    ['node.created', [...queryKeys.webhooks('w'), 'h', 'deliveries', {}], true],
    ['node.created', queryKeys.audit('w'), true],
    ['node.created', queryKeys.search('w'), false],
  ])('%s, for the query %j: %j', (type, key, expected) => expect(concerns(change(type), key)).toBe(expected));

  it('that was missed concerns everything that events change, and no draft', () => {
    expect(concerns(null, [...decisions, 'd2'])).toBe(true);
    expect(concerns(null, queryKeys.audit('w'))).toBe(true);
    expect(concerns(null, [...decisions, 'draft'])).toBe(false);
    expect(concerns(null, queryKeys.search('w'))).toBe(false);
  });
});
