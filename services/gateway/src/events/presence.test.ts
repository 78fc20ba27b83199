import { afterEach, describe, expect, it } from '@jest/globals';
import { limits, newId, type WorkflowViewer } from '@waymark/contracts';
import { type Presence, presence } from './presence.ts';

type Runtime = Parameters<typeof presence>[0];
type Connection = NonNullable<ReturnType<Runtime['nats']['connection']>>;
type Heard = [workspaceId: string, viewer: WorkflowViewer];

/** Plain NATS: whatever is published reaches every subscriber, also the sender. */
function bus() {
  const subscribers: ((text: string) => void)[] = [];
  const connection = {
    publish: (_: string, text: string) => {
      for (const take of subscribers) take(text);
    },
    subscribe: () => {
      const waiting: string[] = [];
      let wake = () => {};
      subscribers.push((text) => {
        waiting.push(text);
        wake();
      });
      return {
        async *[Symbol.asyncIterator]() {
          for (;;) {
            if (waiting.length === 0)
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
            const text = waiting.shift()!;
            yield { string: () => text };
          }
        },
      };
    },
  } as unknown as Connection;
  return { connection };
}

const gateways: Presence[] = [];
afterEach(() => {
  for (const gateway of gateways.splice(0)) gateway.stop();
});

let clockMs = 0;
function gateway(on: { connection: Connection } | null) {
  const heard: Heard[] = [];
  const nats = {
    connection: () => on?.connection ?? null,
    subscribe: (subject: string) => on?.connection.subscribe(subject),
    onConnect: (task: (connection: Connection) => unknown) => on && void task(on.connection),
  } as unknown as Runtime['nats'];
  const config = { natsPrefix: 'waymark' } as Runtime['config'];
  const own = presence({ nats, config, ticks: () => clockMs }, (...change) => heard.push(change));
  gateways.push(own);
  return { ...own, heard };
}

const workspaceId = newId();
const workflow_id = newId();
const viewer = (change: Partial<WorkflowViewer> = {}): WorkflowViewer => ({
  user_id: newId(),
  name: 'Grace Hopper',
  workflow_id,
  node_id: null,
  tab: newId(),
  left: false,
  ...change,
});
/** Lets the subscriptions read what was published. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('presence', () => {
  it('is known on every gateway until a person leaves', async () => {
    const nats = bus();
    const [one, other] = [gateway(nats), gateway(nats)];
    const [ada, grace] = [viewer({ name: 'Ada' }), viewer()];
    one.report(workspaceId, ada);
    await settled();
    expect(other.report(workspaceId, grace)).toEqual([ada, grace]);
    await settled();
    expect(one.report(workspaceId, ada)).toEqual([ada, grace]);
    other.report(workspaceId, { ...grace, left: true });
    await settled();
    expect(one.report(workspaceId, ada)).toEqual([ada]);
    const expected = [ada, grace, { ...grace, left: true }].map((each) => [workspaceId, each]);
    expect([one.heard, other.heard]).toEqual([expected, expected]);
  });

  it('tells a change of the node once, and nothing of repeated reports', () => {
    const own = gateway(null);
    const ada = viewer();
    const node_id = newId();
    for (const report of [ada, ada, { ...ada, node_id }, { ...ada, node_id }])
      own.report(workspaceId, report);
    expect(own.heard.map(([, { node_id: node }]) => node)).toEqual([null, node_id]);
  });

  it('ends when the reports stop', () => {
    const own = gateway(null);
    const [ada, grace] = [viewer(), viewer()];
    own.report(workspaceId, grace);
    clockMs += limits.presenceSeconds * 1_000 - 1;
    own.report(workspaceId, ada);
    own.sweep();
    expect(own.heard).toHaveLength(2);
    clockMs += 1;
    own.sweep();
    expect(own.heard.slice(2)).toEqual([[workspaceId, { ...grace, left: true }]]);
    expect(own.report(workspaceId, ada)).toEqual([ada]);
  });

  it('does not return with a report that arrives after the person has left', () => {
    const own = gateway(null);
    const [ada, late] = [viewer(), viewer()];
    own.report(workspaceId, ada);
    own.report(workspaceId, { ...ada, left: true });
    expect(own.report(workspaceId, ada)).toEqual([]);
    own.report(workspaceId, { ...late, left: true });
    expect(own.report(workspaceId, late)).toEqual([]);
    expect(own.heard.map(([, { left }]) => left)).toEqual([false, true]);
  });

  it('stays in its workspace and its workflow', () => {
    const own = gateway(null);
    const ada = viewer();
    own.report(workspaceId, ada);
    const elsewhere = viewer({ workflow_id: newId() });
    expect(own.report(workspaceId, elsewhere)).toEqual([elsewhere]);
    const stranger = viewer();
    expect(own.report(newId(), stranger)).toEqual([stranger]);
  });

  it('keeps the latest tabs of one user, who cannot end the visits of others', () => {
    const own = gateway(null);
    const grace = viewer();
    own.report(workspaceId, grace);
    const { user_id } = viewer();
    for (let i = 0; i <= limits.presencePerUser; i += 1) own.report(workspaceId, viewer({ user_id }));
    own.report(workspaceId, viewer({ user_id, tab: grace.tab, left: true }));
    const found = own.report(workspaceId, grace);
    expect(found).toContainEqual(grace);
    expect(found.length).toBeLessThanOrEqual(limits.presencePerUser + 1);
  });

  it('ignores what is not a report', async () => {
    const nats = bus();
    const own = gateway(nats);
    const ada = viewer();
    for (const text of [
      '',
      '{',
      '{}',
      JSON.stringify({ instance: 'x', workspace_id: workspaceId, viewer: {} }),
    ])
      nats.connection.publish('presence', text);
    await settled();
    expect(own.report(workspaceId, ada)).toEqual([ada]);
  });
});
