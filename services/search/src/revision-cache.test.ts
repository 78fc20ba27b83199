import { describe, expect, it } from '@jest/globals';
import type { Nats } from '@waymark/service-kit/events';
import { eventually } from '@waymark/testing';
import { revisionCache } from './revision-cache.ts';
import type { ProjectionState } from './store/index.ts';

type OnConnect = Parameters<Nats['onConnect']>[0];
type Connection = Parameters<OnConnect>[0];

/** A NATS that delivers asynchronously to connected clients. */
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
                const payload = text;
                yield { string: () => payload };
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
        subscribe: (subject: string) => connection.subscribe(subject),
        onConnect(run: OnConnect) {
          connectRuns.push(run);
          void run(connection);
        },
        set(up: boolean) {
          isUp = up;
          if (up) for (const run of connectRuns) void run(connection);
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
    const revisions = revisionCache({ nats: client, subject: 'states', read, now: () => clock.nowMs });
    const project = async (id: string) => {
      stored.set(id, { epoch: 'first', revision: (stored.get(id)?.revision ?? 0) + 1 });
      revisions.announce(id);
      // Until the announcement has arrived.
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { client, revisions, project };
  };
  const [one, other] = [replica(), replica()];
  // Waits until both are subscribed.
  await new Promise((resolve) => setImmediate(resolve));
  const revisionOf = async (of: typeof one, id = 'w') => (await of.revisions.get(id))?.revision ?? null;
  return { one, other, clock, stored, reads, gates, revisionOf };
}

describe('the cached revision of a projection', () => {
  it('is read once, and again after a change by any replica', async () => {
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

  it('is read again after a second, in case an announcement was lost', async () => {
    const { one, other, clock, reads, stored, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    stored.set('w', { epoch: 'first', revision: 2 });
    clock.nowMs = 1_000;
    expect(await revisionOf(other)).toBe(2);
    expect(reads).toHaveLength(2);
  });

  it('is not used after a second when reading it again fails', async () => {
    const { one, other, clock, gates, reads, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    clock.nowMs = 1_000;
    gates.push(Promise.reject(new Error('away')));
    await expect(revisionOf(other)).rejects.toThrow('away');
    expect(reads).toHaveLength(2);
    expect(await revisionOf(other)).toBe(1);
  });

  it('is not used after a second when its workspace has been deleted', async () => {
    const { one, other, clock, stored, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    stored.delete('w');
    clock.nowMs = 1_000;
    expect(await revisionOf(other)).toBeNull();
  });

  it('is read once by searches that arrive at once', async () => {
    const { one, other, reads, revisionOf } = await stand();
    await one.project('w');
    expect(await Promise.all([revisionOf(other), revisionOf(other)])).toEqual([1, 1]);
    expect(reads).toHaveLength(1);
  });

  it('is not the result of a read that an announcement overtook', async () => {
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

  it('is read at every search while NATS is away, and again when NATS is back', async () => {
    const { one, other, reads, revisionOf } = await stand();
    await one.project('w');
    await revisionOf(other);
    other.client.set(false);
    await one.project('w');
    expect([await revisionOf(other), await revisionOf(other)]).toEqual([2, 2]);
    expect(reads).toHaveLength(3);
    other.client.set(true);
    // Waits until it is subscribed again.
    await new Promise((resolve) => setImmediate(resolve));
    await revisionOf(other);
    await revisionOf(other);
    expect(reads).toHaveLength(4);
  });
});
