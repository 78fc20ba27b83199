import { describe, expect, it } from '@jest/globals';
import { type EventType, eventTypes } from './events.ts';
import { workspacesOfData } from './workspaces-of-data.ts';

const record = { id: 'own', workspace_id: 'w', data: { workspace_id: 'free-form' } };
const data = {
  ...record,
  ...{ decision: record, outcome: record, webhook: record, delivery: record, workflow: record },
  ...{ replaced: record, api_key: record },
  ...{ decisions: [record], nodes: [record], edges: [record], messages: [record] },
};

/** How often data that has every field names a workspace. The others name none. */
const named: Partial<Record<EventType, number>> = {
  'decision.outcome_logged': 2,
  'nodes.created': 1,
  'decisions.imported': 1,
  'edges.created': 1,
  'webhook.tested': 1,
  'api_key.rotated': 2,
  'node.created': 1,
  'workspace.deleted': 1,
};

describe('the workspaces that the data of an event names', () => {
  it.each(Object.entries(named))('%s: %i', (type, count) => {
    const workspace = type.startsWith('workspace.') ? 'own' : 'w';
    expect(workspacesOfData({ type: type as EventType, data })).toEqual(Array(count).fill(workspace));
  });

  it('are never those of free-form values', () => {
    for (const type of eventTypes) expect(workspacesOfData({ type, data })).not.toContain('free-form');
  });
});
