import type { EventEnvelope, SessionPrincipal } from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime, type Runtime, type Seams } from '@waymark/service-kit/runtime';
import { eventually, type OneService, sessionPrincipal, startOne, streamOf } from '@waymark/testing';
import { startAudit } from '../src/service.ts';

export interface AuditStack extends OneService {
  /** Another process on the same NATS server. */
  peer: Runtime;
  publish(events: EventEnvelope[], options?: { copies?: number }): Promise<void>;
  /** Publishes any text as an event. */
  publishRaw(payload: string): Promise<void>;
  /** An admin of the workspace of these events. */
  reader(events: EventEnvelope[]): SessionPrincipal;
  /** Waits until the chain of the events has `count` entries, and returns them oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
  arrived(events: EventEnvelope[], count?: number): Promise<any[]>;
}

/** The audit service on real stores, and a publisher of events. */
export async function startAuditStack(seams?: Seams): Promise<AuditStack> {
  const one = await startOne(startAudit, seams ? { seams } : {});
  const peer = openRuntime(
    'decisions',
    readEnvironment(baseEnvironment('decisions'), { ...one.env, AUDIT_URL: one.url }),
  );
  const stream = streamOf(one.env);
  let copy = 0;

  async function send(payload: string, msgID: string) {
    await peer.nats.jetstream()!.publish(stream.subject('decision.updated'), payload, { msgID });
  }
  await eventually(async () => {
    const manager = await peer.nats.manager();
    await manager.consumers.info(stream.name, 'audit');
  });

  return {
    ...one,
    peer,
    async publish(events, { copies = 1 } = {}) {
      const all = Array.from({ length: copies }, () => events).flat();
      copy += 1;
      await Promise.all(all.map((event, i) => send(JSON.stringify(event), `${event.id}-${copy}-${i}`)));
    },
    publishRaw: (payload) => send(payload, `raw-${payload}`),
    reader: (events) => sessionPrincipal({ workspaceId: events[0]!.workspace_id!, role: 'admin' }),
    arrived: (events, count = events.length) =>
      eventually(async () => {
        const chain = events[0]!.workspace_id ?? `user:${events[0]!.actor.id}`;
        const found = await one.database.collection('entries').find({ chain }).sort({ seq: 1 }).toArray();
        if (found.length < count) throw new Error(`${found.length} of ${count} entries arrived`);
        return found;
      }),
    async stop() {
      await peer.close();
      await one.stop();
    },
  };
}
