import { describe, expect, it } from '@jest/globals';
import { newId, type Principal } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal, startOne } from '@waymark/testing';
import { erasePersonFromAudit } from '../src/operator.ts';
import { startAudit } from '../src/service.ts';
import { ipOfEntries } from '../src/store/ip-of-entries.ts';
import { auditStack, type Chain, readerOf } from './audit-stack.ts';
import { sampleEvent, sampleEvents } from './sample-event.ts';

const audit = await auditStack();
const ada = { type: 'session' as const, id: newId(), name: 'Ada', key_prefix: null };
const day = (n: number) => `2026-11-0${n}T12:00:00.000Z`;

const workspace_id = newId();
const key = { type: 'api_key', id: newId(), version: 1 };
const events = [
  sampleEvent({ workspace_id, time: day(1), action: 'decision.create' }),
  sampleEvent({ workspace_id, time: day(2), action: 'api_key.create', subject: key, actor: ada }),
  sampleEvent({ workspace_id, time: day(3), action: 'decision.create', actor: ada, ip: '2001:db8::7' }),
  sampleEvent({ workspace_id, time: day(4), action: 'api_key.revoke', subject: key, actor: ada }),
];
for (const [i, event] of events.entries()) {
  await audit.publish([event]);
  await audit.arrived([event], i + 1);
}
await audit.publish(sampleEvents(2));

function list(query: Record<string, string | number> = {}, principal: Principal = readerOf(events)) {
  return audit.call(principal, 'GET', '/audit-log', {
    query: { workspaceId: events[0]!.workspace_id!, ...query },
  });
}

/** Returns the positions of a response's entries among the events; the oldest is 1. */
const sequenceNumbers = ({ body }: { body: { data: { id: string }[] } }) =>
  body.data.map(({ id }) => events.findIndex((event) => event.id === id) + 1);

describe('GET /audit-log', () => {
  it('returns the workspace’s entries, newest first', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(sequenceNumbers(answer)).toEqual([4, 3, 2, 1]);
    expect(answer.body.next_cursor).toBeNull();
  });

  it.each([
    [{ action: 'api_key.create' }, [2]],
    [{ action: 'api_key.revoke' }, [4]],
    [{ resourceType: 'decision' }, [3, 1]],
    [{ actor: ada.id }, [4, 3, 2]],
    [{ from: day(2) }, [4, 3, 2]],
    [{ to: day(2) }, [1]],
    [{ from: '2026-11-02', to: '2026-11-04' }, [3, 2]],
    [{ from: '2026-11-02T13:00:00+01:00', to: day(3) }, [2]],
    [{ actor: ada.id, action: 'decision.create', resourceType: 'decision', from: day(1) }, [3]],
    [{ ip: '203.0.113.7' }, [4, 2, 1]],
    [{ ip: '2001:db8::7', actor: ada.id }, [3]],
    [{ ip: '203.0.113' }, []],
    [{ action: 'decision.delete' }, []],
  ])('filters by %j', async (query, expected) => {
    expect(sequenceNumbers(await list(query as Record<string, string>))).toEqual(expected);
  });

  it('filters by the record', async () => {
    expect(sequenceNumbers(await list({ resourceId: events[1]!.subject.id }))).toEqual([4, 2]);
    expect(sequenceNumbers(await list({ resourceId: newId() }))).toEqual([]);
  });

  it('counts what there is to filter by', async () => {
    const { status, body } = await audit.get({ id: events[0]!.workspace_id!, events }, '/audit-log/facets');
    expect(status).toBe(200);
    expect(body.actions).toEqual(
      expect.arrayContaining([
        { value: 'decision.create', count: 2 },
        { value: 'api_key.create', count: 1 },
        { value: 'api_key.revoke', count: 1 },
      ]),
    );
    expect(body.actions).toHaveLength(3);
    expect(body.resource_types).toContainEqual({ value: 'api_key', count: 2 });
    expect(body.actors[0]).toEqual({ id: ada.id, name: 'Ada', key_prefix: null, count: 3 });
    expect(body.actors).toHaveLength(2);
    expect(body.retention_days).toBeNull();
  });

  it('says after how many days entries are removed', async () => {
    const limited = await startOne(startAudit, { env: { AUDIT_RETENTION_DAYS: '400' } });
    const workspaceId = newId();
    const reader = sessionPrincipal({ workspaceId, role: 'viewer' });
    const { body } = await limited.call(reader, 'GET', '/audit-log/facets', { query: { workspaceId } });
    expect(body).toEqual({ actions: [], resource_types: [], actors: [], retention_days: 400 });
    await limited.stop();
  });

  it('returns pages without a gap, also while entries arrive', async () => {
    const chain = await audit.newChain(7);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await audit.get(chain, '/audit-log', { limit: 3, cursor });
      seen.push(...body.data.map(({ seq }: { seq: number }) => seq));
      if (!cursor) await audit.extend(chain, 1, 8);
      cursor = body.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('refuses a cursor that was altered or belongs to another filter', async () => {
    const { body } = await list({ limit: 1, resourceType: 'decision' });
    const cursor = body.next_cursor as string;
    expect(sequenceNumbers(await list({ limit: 1, resourceType: 'decision', cursor }))).toEqual([1]);
    for (const query of [
      { cursor },
      { cursor, resourceType: 'api_key' },
      { cursor: `${cursor}AA` },
      { cursor: 'x' },
    ]) {
      const answer = await list(query);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', issues: [{ path: 'cursor' }] });
    }
  });

  it.each([
    { resource: 'decision' },
    { form: day(1) },
    { action: 'nonsense' },
    { resourceType: 'nonsense' },
    { from: 'yesterday' },
    { limit: 0 },
    { limit: 501 },
  ])('refuses %j', async (query) => {
    const answer = await list(query as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('VALIDATION_ERROR');
  });

  it('does not tell who sees no addresses whether a guess at one is right', async () => {
    const workspaceId = events[0]!.workspace_id!;
    const callers = [
      sessionPrincipal({ workspaceId, role: 'viewer' }),
      sessionPrincipal({ workspaceId, role: 'member' }),
      keyPrincipal({ workspace_id: workspaceId, scopes: ['read'] }),
    ];
    for (const caller of callers) {
      const answer = await list({ ip: '203.0.113.7' }, caller);
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('finds entries by the address that a migration copied, but no erased one', async () => {
    const [older, erased] = [await audit.newChain(1), await audit.newChain(1)];
    const entries = audit.collection('entries');
    for (const { id } of [older, erased]) await entries.updateOne({ chain: id }, { $unset: { ip: '' } });
    const count = async (chain: Chain) =>
      (await audit.get(chain, '/audit-log', { ip: '203.0.113.7' })).body.data.length;
    const { database, env } = audit.one;
    expect([await count(older), await count(erased)]).toEqual([0, 0]);
    await ipOfEntries.up(database);
    await ipOfEntries.up(database);
    expect([await count(older), await count(erased)]).toEqual([1, 1]);
    await erasePersonFromAudit(database, env, { userId: erased.events[0]!.actor.id!, emails: [] });
    await ipOfEntries.up(database);
    expect([await count(older), await count(erased)]).toEqual([1, 0]);
    expect(JSON.stringify(await entries.findOne({ chain: erased.id }))).not.toContain('203.0.113.7');
  });
});
