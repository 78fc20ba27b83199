import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, servicePrincipal, streamOf } from '@waymark/testing';
import { openAuditOperator } from '../src/operator.ts';
import { auditStack, metricsAt } from './audit-stack.ts';
import { sampleEvent, sampleEvents } from './sample-event.ts';

const audit = await auditStack();

describe('an audited event', () => {
  it('becomes an entry', async () => {
    const event = sampleEvent();
    await audit.publish([event]);
    await audit.arrived([event]);
    const [entry] = await audit.entries({ id: event.workspace_id!, events: [event] });
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
    const chain = { id: events[0]!.workspace_id!, events };
    expect(await audit.verify(chain)).toMatchObject({ valid: true, entries: 21 });
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
    await audit.settled();
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
      const { parked, parkedName } = streamOf(audit.one.env);
      const subject = parked('audit', '*');
      const { streams } = await audit.manager();
      const { state } = await streams.info(parkedName, { subjects_filter: subject });
      return Object.keys(state.subjects ?? {}).length === 3;
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
  });
});

describe('two replicas', () => {
  it('append 300 events to five chains without a gap', async () => {
    await audit.besideReplica(async (replica) => {
      await eventually(async () => {
        await audit.publish(sampleEvents(20));
        return /waymark_events_handled_total\{.*"handled".*\} [1-9]/.test(await metricsAt(replica));
      });
      const chains = Array.from({ length: 5 }, () => sampleEvents(60));
      await Promise.all(chains.map((events) => audit.publish(events, { copies: 2 })));
      for (const events of chains) {
        const entries = await audit.arrived(events);
        expect(entries.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
        const chain = { id: events[0]!.workspace_id!, events };
        expect(await audit.verify(chain)).toMatchObject({ valid: true, entries: 60 });
      }
    });
  });
});

describe('a damaged chain', () => {
  it('accepts nothing until it is resumed, and blocks no other chain', async () => {
    const damaged = await audit.newChain(3);
    await audit.collection('heads').deleteOne({ _id: damaged.id });
    const late = sampleEvents(1, { workspace_id: damaged.id });
    const others = Array.from({ length: 3 }, () => sampleEvents(5));
    await audit.publish([late, ...others].flat());
    for (const events of others) await audit.arrived(events);
    expect(await audit.arrived(damaged.events)).toHaveLength(3);
    const operator = await openAuditOperator(audit.one.env);
    // The other chains do not wait until this one is stopped.
    await eventually(async () => (await operator.resume(damaged.id)) ?? false);
    await operator.close();
    expect((await audit.arrived(damaged.events, 4))[3]).toMatchObject({ _id: late[0]!.id, seq: 4 });
  });
});
