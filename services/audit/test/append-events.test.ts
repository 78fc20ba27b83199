import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, keyPrincipal, servicePrincipal, streamOf } from '@waymark/testing';
import { openAuditOperator } from '../src/operator.ts';
import { startAudit } from '../src/service.ts';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { sampleEvent, sampleEvents } from './sample-event.ts';

let audit: AuditStack;
beforeAll(async () => {
  audit = await startAuditStack();
});
afterAll(() => audit.stop());

const stream = () => streamOf(audit.env).name;
const verify = async (workspaceId: string) =>
  (
    await audit.call(keyPrincipal({ workspace_id: workspaceId }), 'GET', '/audit-log/verify', {
      query: { workspaceId },
    })
  ).body;

describe('an audited event', () => {
  it('becomes an entry', async () => {
    const event = sampleEvent();
    await audit.publish([event]);
    const query = { workspaceId: event.workspace_id! };
    const entry = await eventually(async () => {
      const { body } = await audit.call(audit.reader([event]), 'GET', '/audit-log', { query });
      return body.data[0] ?? false;
    });
    expect(entry).toEqual({
      id: event.id,
      seq: 1,
      workspace_id: event.workspace_id,
      actor: event.actor,
      action: 'decision.update',
      resource_type: 'decision',
      resource_id: event.subject.id,
      changes: event.changes,
      request_id: event.request_id,
      ip: event.ip,
      user_agent: event.user_agent,
      created_at: event.time,
      details_salt: expect.stringMatching(/^[\w-]{22}$/),
      details_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      prev_hash: '0'.repeat(64),
    });
  });

  it('makes one entry, however often it is delivered', async () => {
    const events = sampleEvents(20);
    await audit.publish(events, { copies: 3 });
    await audit.arrived(events);
    await audit.publish([...events].reverse());
    const last = sampleEvents(1, { workspace_id: events[0]!.workspace_id });
    await audit.publish(last);
    const entries = await audit.arrived(events, 21);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    expect(new Set(entries.map(({ _id }) => _id))).toEqual(new Set([...events, ...last].map(({ id }) => id)));
    expect(await verify(events[0]!.workspace_id!)).toMatchObject({ valid: true, entries: 21 });
  });

  it('of a user outside any workspace goes to that user’s chain', async () => {
    const id = newId();
    const actor = { type: 'session' as const, id, name: 'Ada', key_prefix: null };
    const event = sampleEvent({ type: 'user.signed_in', workspace_id: null, actor, action: 'user.sign_in' });
    await audit.publish([event]);
    const [entry] = await audit.arrived([event]);
    expect(entry).toMatchObject({ _id: event.id, chain: `user:${id}`, workspace_id: null, seq: 1 });
  });

  it('without an action makes no entry', async () => {
    const events = sampleEvents(1);
    const silent = sampleEvent({ workspace_id: events[0]!.workspace_id, action: null });
    await audit.publish([silent, ...events]);
    await audit.arrived(events);
    await eventually(async () => {
      const manager = await audit.peer.nats.manager();
      const { num_pending, num_ack_pending } = await manager.consumers.info(stream(), 'audit');
      return num_pending + num_ack_pending === 0;
    });
    expect(await audit.arrived(events)).toHaveLength(1);
  });

  it('that is malformed is parked and blocks nothing', async () => {
    const events = sampleEvents(3);
    await audit.publishRaw('{"id":"no event"}');
    await audit.publishRaw('no JSON at all');
    const { workspace_id } = events[0]!;
    await audit.publish([{ ...sampleEvent({ workspace_id }), data: 'no decision' }, ...events]);
    await audit.arrived(events);
    await eventually(async () => {
      const manager = await audit.peer.nats.manager();
      const { parked, parkedName } = streamOf(audit.env);
      const subject = parked('audit');
      const { state } = await manager.streams.info(parkedName, { subjects_filter: subject });
      return state.subjects?.[subject] === 3;
    });
    expect(await audit.arrived(events)).toHaveLength(3);
  });

  it('is reported as audited once it has its entry', async () => {
    const events = sampleEvents(2);
    await audit.publish(events);
    await audit.arrived(events);
    const ids = [newId(), ...events.map(({ id }) => id)];
    const { status, body } = await audit.call(servicePrincipal(), 'POST', '/internal/audited-events', {
      body: { ids },
    });
    expect(status).toBe(200);
    expect(new Set(body.ids)).toEqual(new Set(ids.slice(1)));
    const refused = await audit.call(audit.reader(events), 'POST', '/internal/audited-events', {
      body: { ids },
    });
    expect(refused.status).toBe(401);
  });
});

describe('two replicas', () => {
  it('append 500 events to five chains without a gap', async () => {
    const second = await startAudit(audit.env);
    try {
      await eventually(async () => {
        await audit.publish(sampleEvents(20));
        return (await handledBy(second.adminPort)) > 0;
      });
      const chains = Array.from({ length: 5 }, () => sampleEvents(100));
      await Promise.all(chains.map((events) => audit.publish(events, { copies: 2 })));
      for (const events of chains) {
        const entries = await audit.arrived(events);
        expect(entries.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
        expect(await verify(events[0]!.workspace_id!)).toMatchObject({ valid: true, entries: 100 });
      }
    } finally {
      await second.stop();
    }
  });
});

describe('a damaged chain', () => {
  it('accepts nothing until it is resumed, and blocks no other chain', async () => {
    const damaged = sampleEvents(3);
    await audit.publish(damaged);
    await audit.arrived(damaged);
    const heads = audit.database.collection<{ _id: string }>('heads');
    const head = await heads.findOneAndDelete({ _id: damaged[0]!.workspace_id! });
    const late = sampleEvents(1, { workspace_id: head!._id });
    const others = Array.from({ length: 3 }, () => sampleEvents(5));
    await audit.publish([late, ...others].flat());
    for (const events of others) await audit.arrived(events);
    expect(await audit.arrived(damaged)).toHaveLength(3);
    const operator = await openAuditOperator(audit.env);
    // The other chains do not wait until this one is stopped.
    await eventually(async () => (await operator.resume(head!._id)) ?? false);
    await operator.close();
    expect((await audit.arrived(damaged, 4))[3]).toMatchObject({ _id: late[0]!.id, seq: 4 });
  });
});

describe('a crash before any acknowledgement', () => {
  it('leaves every entry as it is when all events are redelivered', async () => {
    const events = sampleEvents(30);
    await audit.publish(events);
    await audit.arrived(events);
    const all = () => audit.database.collection('entries').find().sort({ chain: 1, seq: 1 }).toArray();
    const before = await all();
    const manager = await audit.peer.nats.manager();
    await manager.consumers.delete(stream(), 'audit');
    const second = await startAudit(audit.env);
    await eventually(async () => {
      const { num_pending, num_ack_pending, delivered } = await manager.consumers.info(stream(), 'audit');
      return delivered.stream_seq > 0 && num_pending + num_ack_pending === 0;
    });
    await second.stop();
    expect(await all()).toEqual(before);
  });
});

async function handledBy(adminPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const line = text
    .split('\n')
    .find((l) => l.startsWith('waymark_events_handled_total') && l.includes('"handled"'));
  return Number(line?.split(' ').at(-1) ?? 0);
}
