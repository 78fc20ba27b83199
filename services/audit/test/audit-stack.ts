import { afterAll } from '@jest/globals';
import type { AuditEntry, AuditHead, EventEnvelope, Principal } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import {
  type CallInput,
  type EventPublisher,
  eventually,
  openEventPublisher,
  sessionPrincipal,
  startOne,
} from '@waymark/testing';
import type { Collection } from 'mongodb';
import { startAudit } from '../src/service.ts';
import { linesOf } from '../src/verification/lines.ts';
import { verifyExport } from '../src/verification/verify-export.ts';
import { sampleEvents } from './sample-event.ts';

/** The chain of a workspace, with the events that it began with. */
export interface Chain {
  id: string;
  events: EventEnvelope[];
}

const chainOf = (events: EventEnvelope[]) => events[0]!.workspace_id ?? `user:${events[0]!.actor.id}`;

/** An admin of the workspace of these events. */
export const readerOf = (events: EventEnvelope[]) =>
  sessionPrincipal({ workspaceId: events[0]!.workspace_id!, role: 'admin' });

/** Verifies the text of an export with a public key alone. */
export function verifyText(text: string, options: { publicKey: string; savedHead?: AuditHead | undefined }) {
  async function* chunks() {
    for (let i = 0; i < text.length; i += 1_000) yield text.slice(i, i + 1_000);
  }
  return verifyExport(linesOf(chunks()), options);
}

/** Starts the audit service on real stores for the tests of a file, and a publisher of events. */
export async function auditStack(seams: Seams = {}) {
  const one = await startOne(startAudit, { seams });
  const publisher = await openEventPublisher(one, 'audit');
  afterAll(async () => {
    await publisher.close();
    await one.stop();
  });

  const stack = {
    one,
    call: (principal: Principal | null, method: string, path: string, input?: CallInput) =>
      one.call(principal, method, path, input),
    // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
    collection: (name: string) => one.database.collection(name) as unknown as Collection<any>,
    manager: () => publisher.nats.manager(),
    publish: (...call: Parameters<EventPublisher['publish']>) => publisher.publish(...call),
    /** Publishes any text as an event. */
    publishRaw: (payload: string) => publisher.publishRaw(payload, 'decision.updated'),
    /** Waits until every event published so far has been handled. */
    settled: () => publisher.settled(),
    /** Waits until the chain of the events has `count` entries, and returns them oldest first. */
    arrived: (events: EventEnvelope[], count = events.length) =>
      eventually(async () => {
        const filter = { chain: chainOf(events) };
        const found = await stack.collection('entries').find(filter).sort({ seq: 1 }).toArray();
        if (found.length < count) throw new Error(`${found.length} of ${count} entries arrived`);
        return found;
      }),
    /** Appends events to a new chain. */
    async newChain(length = 6): Promise<Chain> {
      const events = sampleEvents(length);
      await stack.publish(events);
      await stack.arrived(events);
      return { id: events[0]!.workspace_id!, events };
    },
    /** Appends further events to a chain that has `count` entries then. */
    async extend({ id, events }: Chain, more: number, count: number): Promise<EventEnvelope[]> {
      const added = sampleEvents(more, { workspace_id: id });
      await stack.publish(added);
      await stack.arrived(events, count);
      return added;
    },
    /** Reads as an admin of the workspace. */
    get: ({ id, events }: Chain, path: string, query = {}) =>
      one.call(readerOf(events), 'GET', path, { query: { workspaceId: id, ...query } }),
    /** Returns the entries of a chain as they are on the wire, oldest first. */
    entries: async (chain: Chain): Promise<AuditEntry[]> =>
      (await stack.get(chain, '/audit-log')).body.data.reverse(),
    // biome-ignore lint/suspicious/noExplicitAny: tests compare parts of the result
    verify: async (chain: Chain): Promise<any> => (await stack.get(chain, '/audit-log/verify')).body,
    async verifyOffline(chain: Chain, savedHead?: AuditHead) {
      const { text } = await stack.get(chain, '/audit-log/export');
      const { public_key: publicKey } = await stack.verify(chain);
      return verifyText(text, { publicKey, savedHead });
    },
    /** Runs another process of the service meanwhile. */
    async besideReplica<T>(run: (replica: RunningService) => Promise<T>): Promise<T> {
      const replica = await startAudit(one.env);
      try {
        return await run(replica);
      } finally {
        await replica.stop();
      }
    },
  };
  return stack;
}

export async function metricsAt({ adminPort }: { adminPort: number }): Promise<string> {
  return (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
}
