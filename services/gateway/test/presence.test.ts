import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limits, newId, type WorkflowViewer } from '@waymark/contracts';
import { type EventSource, eventually, openEventSource, streamOf } from '@waymark/testing';
import { useStand } from './stand.ts';

/** Stands still unless a test moves it. */
let nowMs = Date.now();
const stand = useStand({ gateways: 2, env: { LIMIT_SCALE: '1000' }, seams: { now: () => nowMs } });

/** One tab of a user who views the workflow. */
interface Tab {
  cookie: string;
  userId: string;
  tab: string;
}

/** The workspaces of workflows, as the workflows service knows them. */
const workspaces = new Map<string, string>();
let workspaceId: string;
let workflowId: string;
/** What the clients of both gateways hear of presence. */
let streams: EventSource[];
beforeEach(async () => {
  [workspaceId, workflowId] = [newId(), newId()];
  workspaces.set(workflowId, workspaceId);
  stand.decisions.respond = ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ workspace_id: workspaces.get(url.split('/').at(-1)!) ?? null }));
  };
  const { cookie } = user();
  streams = await Promise.all(
    stand.gateways.map(({ url }) =>
      openEventSource(`${url}/v1/events?workspaceId=${workspaceId}`, { cookie }),
    ),
  );
  await eventually(() => streams.every(({ messages }) => messages.some(({ event }) => event === 'ready')));
});
afterEach(() => {
  for (const stream of streams) stream.close();
});

function user(): Tab {
  const session = stand.accounts.createSession();
  stand.accounts.join(session.userId, { workspace_id: workspaceId, role: 'viewer' });
  return { ...session, tab: newId() };
}

/** Reports at a gateway, and returns the tabs that view the workflow. */
async function report(
  { cookie, tab }: Tab,
  {
    at = 0,
    ...query
  }: { at?: 0 | 1; workspaceId?: string; workflowId?: string; nodeId?: string; left?: boolean } = {},
): Promise<string[]> {
  const answer = await stand.callAt(stand.gateways[at]!, 'POST', '/presence', {
    cookie,
    query: { workspaceId, workflowId, tab, ...query },
  });
  expect(answer.status).toBe(200);
  return answer.body.data.map((viewer: WorkflowViewer) => viewer.tab);
}

const heardAt = (gateway: 0 | 1) =>
  streams[gateway]!.messages.filter(({ event }) => event === 'presence').map(({ data }) => [
    data.tab,
    data.node_id,
    data.left,
  ]);
/** Waits until the clients of both gateways have heard the same. */
const heard = (expected: [tab: string, nodeId: string | null, left: boolean][]) =>
  eventually(() => expect([heardAt(0), heardAt(1)]).toEqual([expected, expected]));

describe('POST /presence', () => {
  it('is known at every gateway until a person leaves, and each change is told once, to people only', async () => {
    const [ada, grace] = [user(), user()];
    const nodeId = newId();
    const { key } = stand.accounts.createKey({ workspace_id: workspaceId });
    const address = `${stand.url}/v1/events?workspaceId=${workspaceId}`;
    const asKey = await openEventSource(address, { authorization: `Bearer ${key}` });
    streams.push(asKey);
    await eventually(() => asKey.messages.some(({ event }) => event === 'ready'));
    const changes: [string, string | null, boolean][] = [
      [ada.tab, null, false],
      [grace.tab, null, false],
      [ada.tab, nodeId, false],
      [grace.tab, null, true],
    ];
    await report(ada);
    await heard(changes.slice(0, 1));
    expect(await report(grace, { at: 1 })).toEqual([ada.tab, grace.tab]);
    await heard(changes.slice(0, 2));
    for (let i = 0; i < 2; i += 1) expect(await report(ada, { nodeId })).toEqual([ada.tab, grace.tab]);
    // Each gateway tells its own changes first: without a pause, their order would differ.
    await heard(changes.slice(0, 3));
    await report(grace, { at: 1, left: true });
    await heard(changes);
    expect(await report(ada, { nodeId })).toEqual([ada.tab]);
    const last = user();
    await report(last);
    await heard([...changes, [last.tab, null, false]]);
    expect(asKey.messages.map(({ event }) => event)).not.toContain('presence');
  });

  it('ends 30 seconds after the last report', async () => {
    const [first, second] = [user(), user()];
    const changes: [string, string | null, boolean][] = [
      [first.tab, null, false],
      [second.tab, null, false],
      [first.tab, null, true],
      [second.tab, null, true],
    ];
    await report(first);
    await heard(changes.slice(0, 1));
    nowMs += 1;
    await report(second);
    await heard(changes.slice(0, 2));
    nowMs += limits.presenceSeconds * 1_000 - 1;
    await heard(changes.slice(0, 3));
    nowMs += 1;
    await heard(changes);
  });

  it('does not return with a report that arrives after the person has left', async () => {
    const [ada, late] = [user(), user()];
    await report(ada);
    await report(ada, { left: true });
    expect(await report(ada)).toEqual([]);
    await report(late, { left: true });
    expect(await report(late)).toEqual([]);
    await heard([
      [ada.tab, null, false],
      [ada.tab, null, true],
    ]);
  });

  it('stays in its workspace and its workflow', async () => {
    const [ada, grace] = [user(), user()];
    await report(ada);
    const [other, elsewhere] = [newId(), newId()];
    workspaces.set(other, workspaceId);
    expect(await report(grace, { workflowId: other })).toEqual([grace.tab]);
    stand.accounts.join(grace.userId, { workspace_id: elsewhere, role: 'viewer' });
    const query = { workspaceId: elsewhere, workflowId, tab: newId() };
    const foreign = await stand.call('POST', '/presence', { cookie: grace.cookie, query });
    expect([foreign.status, foreign.body.issues[0].path]).toEqual([400, 'workflowId']);
  });

  it('keeps the latest tabs of one user, who cannot end the visits of others', async () => {
    const [grace, ada] = [user(), user()];
    await report(grace);
    for (let i = 0; i <= limits.presencePerUser; i += 1) await report({ ...ada, tab: newId() });
    await report({ ...ada, tab: grace.tab }, { left: true });
    const found = await report(grace);
    expect(found).toContain(grace.tab);
    expect(found.length).toBeLessThanOrEqual(limits.presencePerUser + 1);
  });

  it('ignores messages of other gateways that are no reports', async () => {
    const ada = user();
    const { presence } = streamOf(stand.env);
    for (const text of [
      '',
      '{',
      '{}',
      JSON.stringify({ instance: 'x', workspace_id: workspaceId, viewer: {} }),
    ])
      stand.accounts.runtime.nats.connection()!.publish(presence, text);
    await report(ada, { at: 1 });
    await heard([[ada.tab, null, false]]);
    expect(await report(ada)).toEqual([ada.tab]);
  });
});
