import { describe, expect, it } from '@jest/globals';
import type { Nats } from '@waymark/service-kit/events';
import { eventually } from '@waymark/testing';
import { knownStates } from './revision-cache.ts';
import type { ProjectionState } from './store/index.ts';

type OnConnect = Parameters<Nats['onConnect']>[0];
type Connection = Parameters<OnConnect>[0];

/** A NATS that hands on in its own time, to those who are connected. */
function bus() {
  const queues = new Set<(text: string) => void>();
  return {
    publish(text: string) {
      for (const deliver of queues) deliver(text);
    },
    client() {
      let isUp = true;
      let wake: () => void = () => undefined;
      const arrived: string[] = [];
      const connectRuns: OnConnect[] = [];
      const disconnectRuns: (() => void)[] = [];
      const connection = {
        publish: (_: string, text: string) => isUp && this.publish(text),
        flush: async () => undefined,
        subscribe: () => {
          queues.add((text) => {
            if (isUp) arrived.push(text);
            wake();
          });
          return (async function* () {
            for (;;) {
              for (let text = arrived.shift(); text !== undefined; text = arrived.shift()) {
                const told = text;
                yield { string: () => told };
              }
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
            }
          })();
        },
      } as unknown as Connection;
      return {
        connection: () => (isUp ? connection : null),
        onConnect(run: OnConnect) {
          connectRuns.push(run);
          void run(connection);
        },
        onDisconnect: (run: () => void) => disconnectRuns.push(run),
        set(up: boolean) {
          isUp = up;
          for (const run of up ? connectRuns : disconnectRuns) void run(connection);
        },
      };
    },
  };
}

/** Two replicas over one store. */
async function stand() {
  const nats = bus();
  const clock = { nowMs: 0 };
  const stored = new Map<string, ProjectionState>();
  const reads: string[] = [];
  const gates: Promise<void>[] = [];
  const replica = () => {
    const client = nats.client();
    const read = async (workspaceId: string) => {
      reads.push(workspaceId);
      const state = stored.get(workspaceId) ?? null;
      await gates.shift();
      return state;
    };
    const states = knownStates({ nats: client, subject: 'states', read, now: () => clock.nowMs });
    const store = states.announcing({
      async project(workspaceId: string) {
        stored.set(workspaceId, {
          epoch: 'first',
          revision: (stored.get(workspaceId)?.revision ?? 0) + 1,
        });
      },
      async purge(workspaceId: string) {
        stored.delete(workspaceId);
        return { is_done: true };
      },
      async renewIndexes() {
        for (const [id, { revision }] of stored) stored.set(id, { epoch: 'second', revision });
      },
    });
    return { client, states, project: (id: string) => store.project(id), store };
  };
  const [one, other] = [replica(), replica()];
  // What they heard while they connected is over.
  await new Promise((resolve) => setImmediate(resolve));
  const revisionOf = async (of: typeof one, id = 'w') => (await of.states.of(id))?.revision ?? null;
  return { one, other, clock, stored, reads, gates, revisionOf };
}

describe('what a replica knows of a projection', () => {
  it('is read once, and again when any replica has changed it', async () => {
    const { one, other, reads, revisionOf } = await stand();
    await one.project('w');
    for (let i = 0; i < 3; i += 1) expect(await revisionOf(other)).toBe(1);
    expect(reads).toEqual(['w']);
    await one.project('w');
    expect(await revisionOf(one)).toBe(2);
    await eventually(async () => expect(await revisionOf(other)).toBe(2));
    await other.project('elsewhere');
    await revisionOf(one);
    expect(reads).toHaveLength(3);
  });

  it('is read again after a second, should an announcement be lost', async () => {
    const { one, other, clock, reads, stored, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    stored.set('w', { epoch: 'first', revision: 2 });
    clock.nowMs = 1_000;
    expect(await revisionOf(other)).toBe(2);
    expect(reads).toHaveLength(2);
  });

  it('is read again behind a search after half a second, once, and counts from then on', async () => {
    const { one, other, clock, gates, reads, stored, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    stored.set('w', { epoch: 'first', revision: 2 });
    clock.nowMs = 499;
    expect(await revisionOf(other)).toBe(1);
    expect(reads).toHaveLength(1);
    let open: () => void = () => undefined;
    gates.push(new Promise((resolve) => (open = resolve)));
    clock.nowMs = 500;
    expect([await revisionOf(other), await revisionOf(other)]).toEqual([1, 1]);
    expect(reads).toHaveLength(2);
    clock.nowMs = 1_000;
    const waiting = revisionOf(other);
    expect(reads).toHaveLength(2);
    open();
    expect(await waiting).toBe(2);
    clock.nowMs = 1_499;
    expect(await revisionOf(other)).toBe(2);
    expect(reads).toHaveLength(3);
  });

  it('is trusted no longer than a second when what reads it again fails', async () => {
    const { one, other, clock, gates, reads, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    clock.nowMs = 500;
    gates.push(Promise.reject(new Error('away')));
    expect(await revisionOf(other)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    clock.nowMs = 1_000;
    gates.push(Promise.reject(new Error('still away')));
    await expect(revisionOf(other)).rejects.toThrow('still away');
    expect(reads).toHaveLength(3);
  });

  it('is no more when what reads it again finds the workspace deleted', async () => {
    const { one, other, clock, stored, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    stored.delete('w');
    clock.nowMs = 500;
    expect(await revisionOf(other)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await revisionOf(other)).toBeNull();
  });

  it('is not what a read found that an announcement has overtaken', async () => {
    const { one, gates, reads, revisionOf } = await stand();
    await one.project('w');
    let open: () => void = () => undefined;
    gates.push(new Promise((resolve) => (open = resolve)));
    const overtaken = revisionOf(one);
    await one.project('w');
    expect(await revisionOf(one)).toBe(2);
    open();
    expect(await overtaken).toBe(1);
    expect(await revisionOf(one)).toBe(2);
    expect(reads).toHaveLength(2);
  });

  it('is read at every search while NATS is away, and anew when it is back', async () => {
    const { one, other, reads, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    other.client.set(false);
    await one.project('w');
    expect([await revisionOf(other), await revisionOf(other)]).toEqual([2, 2]);
    expect(reads).toHaveLength(3);
    other.client.set(true);
    await revisionOf(other);
    await revisionOf(other);
    expect(reads).toHaveLength(4);
  });

  it('is forgotten with a deleted workspace, and of all workspaces after a rebuild', async () => {
    const { one, other, revisionOf } = await stand();
    await one.project('w');
    await one.project('v');
    await Promise.all([revisionOf(other), revisionOf(other, 'v')]);
    await one.store.purge('w');
    await eventually(async () => expect(await revisionOf(other)).toBeNull());
    await one.store.renewIndexes();
    await eventually(async () => expect((await other.states.of('v'))?.epoch).toBe('second'));
  });
});
