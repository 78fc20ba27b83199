import { expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, sampleDecision } from '@waymark/testing';
import { messageEvent, nodeEvent, notificationsStack } from './notifications-stack.ts';

const DAY_MS = 86_400_000;
let aheadMs = 0;
// Away until the test has what existed before.
const snapshots = new Map<string, unknown[]>();
const seams = { now: () => Date.now() + aheadMs, dueMs: 20, fillMs: 20 };
const stack = await notificationsStack(seams, snapshots);

it('what existed before the service has its title, its date and who takes part, and tells nobody', async () => {
  const on = { workspaceId: newId(), nodeId: newId() };
  const [ada, ben] = [stack.person(on.workspaceId), stack.person(on.workspaceId)];
  const soon = new Date(Date.now() + DAY_MS).toISOString();
  const open = { workspace_id: on.workspaceId, created_by: ben.id, status: 'accepted', outcome: 'pending' };
  const decision = sampleDecision({ ...(open as object), expected_by: soon });
  const node = nodeEvent(ada, on, { assignedTo: ben.id }).data as { workflow_id: string };
  const messageOf = (at: number) => {
    const { data: message } = messageEvent(ben, on, { at, mentions: [ada.id] });
    return { workspace_id: on.workspaceId, version: 1, generation: 0, message };
  };
  const [old, young] = [messageOf(Date.now() - 8 * DAY_MS), messageOf(Date.now() - DAY_MS)];
  snapshots.set('messages', [old, young]);
  snapshots.set('decisions', [decision]);
  snapshots.set('nodes', [node]);
  snapshots.set('workflows', []);
  const ended = { _id: 'message', after: null } as object;
  await eventually(async () => (await stack.collection('fill').countDocuments(ended)) === 1);
  expect([await stack.told(ada), await stack.told(ben)]).toEqual([[], []]);
  expect(await stack.collection('messages').countDocuments({ subject_id: on.nodeId } as object)).toBe(1);

  await stack.publish(messageEvent(ada, on));
  const reply = { kind: 'reply', title: 'Measure both', workflow_id: node.workflow_id };
  expect((await stack.inbox(ben)).data).toMatchObject([reply]);
  aheadMs = 2 * DAY_MS;
  await eventually(async () =>
    expect(await stack.told(ben)).toEqual([
      ['outcome_overdue', decision.id],
      ['reply', on.nodeId],
    ]),
  );
});
