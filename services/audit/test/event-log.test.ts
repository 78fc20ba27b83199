import { describe, expect, it } from '@jest/globals';
import { type EventEnvelope, type KeyPrincipal, limits, newId } from '@waymark/contracts';
import {
  type Answer,
  eventually,
  keyPrincipal,
  patience,
  servicePrincipal,
  sessionPrincipal,
} from '@waymark/testing';
import { beginEventLogsAnew, erasePersonFromEventLog } from '../src/operator.ts';
import { auditStack } from './audit-stack.ts';
import { sampleEvent, sampleEvents } from './sample-event.ts';

const audit = await auditStack();

type Query = Record<string, string | number>;
const keyOf = (workspaceId: string) => keyPrincipal({ workspace_id: workspaceId });
const read = (workspaceId: string, query: Query = {}, url = audit.one.url): Promise<Answer> =>
  audit.one.callAt(url, keyOf(workspaceId), 'GET', '/event-log', { query: { workspaceId, ...query } });
const errorOf = ({ status, body }: Answer) => [status, body.error, body.reason];
const log = () => audit.collection('event_log');

/** Waits until the log has so many events, and returns the whole page. */
const logged = (workspaceId: string, count: number) =>
  eventually(async () => {
    const { body } = await read(workspaceId, { limit: limits.pageSizeMax });
    return body.data.length >= count ? body : false;
  });

/** A workspace with so many events in its log. */
async function workspaceWith(count: number): Promise<string> {
  const events = sampleEvents(count);
  await audit.publish(events);
  const { workspace_id: workspaceId } = events[0]!;
  await logged(workspaceId!, count);
  return workspaceId!;
}

describe('GET /event-log', () => {
  it('has each event of a workspace with its data, audited or not', async () => {
    const event = sampleEvent();
    const workspaceId = event.workspace_id!;
    const silent = sampleEvent({ workspace_id: workspaceId, action: null });
    await audit.publish([event]);
    await logged(workspaceId, 1);
    await audit.publish([silent]);
    expect(await logged(workspaceId, 2)).toEqual({
      data: [
        {
          number: 1,
          id: event.id,
          type: 'decision.updated',
          created_at: event.time,
          workspace_id: workspaceId,
          actor: { type: 'api_key', id: event.actor.id, name: 'Release bot' },
          subject: event.subject,
          request_id: event.request_id,
          data: event.data,
        },
        expect.objectContaining({ number: 2, id: silent.id }),
      ],
      next_after: 2,
      newest: 2,
    });
  });

  it('is read page by page', async () => {
    const workspaceId = await workspaceWith(5);
    const numbers: number[][] = [];
    for (let after = 0; after < 5; ) {
      const { body } = await read(workspaceId, { after, limit: 2 });
      numbers.push(body.data.map(({ number }: { number: number }) => number));
      after = body.next_after;
    }
    expect(numbers).toEqual([[1, 2], [3, 4], [5]]);
    expect((await read(workspaceId, { after: 5 })).body).toEqual({ data: [], next_after: 5, newest: 5 });
    expect((await read(newId())).body).toEqual({ data: [], next_after: 0, newest: 0 });
  });

  it('ends a page early when its events are large', async () => {
    const size = limits.eventLogPageBytes / 8;
    const [first] = sampleEvents(1);
    const events = sampleEvents(10, { workspace_id: first!.workspace_id }).map((event) => ({
      ...event,
      data: { ...(event.data as object), context: 'x'.repeat(size) },
    }));
    await audit.publish(events);
    const workspaceId = first!.workspace_id!;
    await eventually(async () => (await read(workspaceId)).body.newest === 10);
    expect((await read(workspaceId)).body).toMatchObject({ next_after: 8, newest: 10 });
    expect((await read(workspaceId, { after: 8 })).body.data).toHaveLength(2);
  });

  it('withholds the data of events about settings from whoever may not read settings', async () => {
    const workspaceId = newId();
    const data = { workspace_id: workspaceId, plan: 'pro', previous_plan: 'free' };
    const settings = { type: 'billing.plan_changed', action: 'workspace.plan_change' } as const;
    const event = sampleEvent({ ...settings, workspace_id: workspaceId, data });
    await audit.publish([event]);
    expect((await logged(workspaceId, 1)).data[0]).toMatchObject({ number: 1, id: event.id, data: null });
    const as = (role: 'viewer' | 'member' | 'admin') =>
      audit.call(sessionPrincipal({ workspaceId, role }), 'GET', '/event-log', { query: { workspaceId } });
    expect((await as('member')).body.data[0].data).toBeNull();
    expect((await as('viewer')).body.data[0].data).toBeNull();
    expect((await as('admin')).body.data[0].data).toEqual(data);
  });

  it('says that events are missing, and that the log has not come so far', async () => {
    const workspaceId = await workspaceWith(6);
    await log().deleteMany({ workspace_id: workspaceId, number: { $in: [1, 2, 3] } });
    expect(errorOf(await read(workspaceId, { after: 2 }))).toEqual([410, 'POSITION_GONE', 'expired']);
    expect((await read(workspaceId, { after: 3 })).body.data).toHaveLength(3);
    expect((await read(workspaceId)).body).toMatchObject({ next_after: 6, newest: 6 });
    await log().deleteOne({ workspace_id: workspaceId, number: 5 });
    expect((await read(workspaceId, { after: 3 })).body).toMatchObject({ next_after: 4, newest: 6 });
    expect(errorOf(await read(workspaceId, { after: 4 }))).toEqual([410, 'POSITION_GONE', 'expired']);
    expect(errorOf(await read(workspaceId, { after: 7 }))).toEqual([410, 'POSITION_GONE', 'ahead']);
    await log().deleteMany({ workspace_id: workspaceId, number: { $gt: 0 } });
    expect((await read(workspaceId)).body).toEqual({ data: [], next_after: 6, newest: 6 });
    expect(errorOf(await read(workspaceId, { after: 5 }))).toEqual([410, 'POSITION_GONE', 'expired']);
    await audit.publish(sampleEvents(1, { workspace_id: workspaceId }));
    expect((await logged(workspaceId, 1)).data[0].number).toBe(7);
  });

  it('expires events by their age alone, and takes in none that are older', async () => {
    const indexes = await log().listIndexes().toArray();
    const ttl = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect(ttl).toMatchObject([{ key: { logged_at: 1 }, expireAfterSeconds: 30 * 86_400 }]);
    const time = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const [old] = sampleEvents(1, { time });
    const [recent] = sampleEvents(1, { workspace_id: old!.workspace_id });
    await audit.publish([old!]);
    await audit.arrived([old!]);
    await audit.publish([recent!]);
    expect((await logged(old!.workspace_id!, 1)).data).toMatchObject([{ number: 1, id: recent!.id }]);
  });

  it('is refused for a bad position and for too long a wait', async () => {
    for (const query of [{ after: -1 }, { limit: 501 }, { wait: limits.eventLogWaitSeconds + 1 }])
      expect((await read(newId(), query as unknown as Query)).status).toBe(400);
  });
});

describe('two replicas', () => {
  it('give each event one number, and no reader ever finds a lower number later', async () => {
    const workspaces = Array.from({ length: 3 }, () => sampleEvents(150));
    await audit.besideReplica(async ({ url: second }) => {
      const readers = workspaces.map(async (events, i) => {
        const seen: { number: number; id: string }[] = [];
        while (seen.length < events.length) {
          const url = i % 2 === 0 ? audit.one.url : second;
          const query = { after: seen.at(-1)?.number ?? 0, wait: 10 };
          const { status, body } = await read(events[0]!.workspace_id!, query, url);
          expect(status).toBe(200);
          seen.push(...body.data);
        }
        return seen;
      });
      await Promise.all(workspaces.map((events) => audit.publish(events, { copies: 2 })));
      for (const [i, seen] of (await Promise.all(readers)).entries()) {
        expect(seen.map(({ number }) => number)).toEqual(workspaces[i]!.map((_, n) => n + 1));
        expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(workspaces[i]!.map(({ id }) => id)));
      }
    });
  });
});

describe('a caller that waits', () => {
  const WAIT_MS = limits.eventLogWaitSeconds * 1_000;
  const wait = (workspaceId: string, after: number, url = audit.one.url) =>
    waitAs(keyOf(workspaceId), after, url);
  const waitAs = (key: KeyPrincipal, after: number, url = audit.one.url): Promise<Answer> =>
    audit.one.callAt(url, key, 'GET', '/event-log', {
      query: { workspaceId: key.workspace_id, after, wait: limits.eventLogWaitSeconds },
    });

  it('gets an event as soon as it is logged, by whichever replica', async () => {
    const workspaceId = await workspaceWith(1);
    const startedAtMs = performance.now();
    await audit.besideReplica(async (second) => {
      for (let after = 1; after <= 8; after += 1) {
        const waits = [wait(workspaceId, after), wait(workspaceId, after, second.url)];
        await audit.publish(sampleEvents(1, { workspace_id: workspaceId }));
        for (const { body } of await Promise.all(waits))
          expect(body).toMatchObject({ next_after: after + 1 });
      }
    });
    // Without a wake-up, each of the eight waits would last to its end.
    expect(performance.now() - startedAtMs).toBeLessThan(patience(4 * WAIT_MS));
  });

  it('gets an empty page when the replica stops', async () => {
    const workspaceId = await workspaceWith(1);
    const answer = await audit.besideReplica(async (second) => {
      const waiting = wait(workspaceId, 1, second.url);
      // Connections are accepted in their order: the first request has arrived when this one is answered.
      await read(workspaceId, {}, second.url);
      return { waiting, stoppedAtMs: performance.now() };
    });
    expect((await answer.waiting).body).toEqual({ data: [], next_after: 1, newest: 1 });
    expect(performance.now() - answer.stoppedAtMs).toBeLessThan(patience(WAIT_MS));
  });

  it('gets no event after the end of its key, and no data of settings after a demotion', async () => {
    const workspaceId = await workspaceWith(1);
    const revoked = keyOf(workspaceId);
    const admin = sessionPrincipal({ workspaceId, role: 'admin' });
    const waiting = [revoked, admin].map((caller) =>
      audit.call(caller, 'GET', '/event-log', { query: { workspaceId, after: 1, wait: 10 } }),
    );
    // Connections are accepted in their order: the waits have begun when this one is answered.
    await read(workspaceId);
    audit.one.callersNow.set(revoked.user_id, null);
    const viewer = sessionPrincipal({ workspaceId, role: 'viewer' });
    audit.one.callersNow.set(admin.user_id, { ...admin, membership: viewer.membership! });
    const data = { workspace_id: workspaceId, plan: 'pro', previous_plan: 'free' };
    const settings = { type: 'billing.plan_changed', action: 'workspace.plan_change' } as const;
    await audit.publish([sampleEvent({ ...settings, workspace_id: workspaceId, data })]);
    const [refused, demoted] = await Promise.all(waiting);
    expect(errorOf(refused!)).toEqual([401, 'UNAUTHORIZED', undefined]);
    expect(demoted!.body.data).toMatchObject([{ number: 2, data: null }]);
  });

  it('is refused beyond the limit of a caller, which leaves others alone', async () => {
    const most = limits.eventLogWaitersPerCaller;
    const [busy, other] = [await workspaceWith(1), await workspaceWith(1)];
    const key = keyOf(busy);
    const answers = Array.from({ length: most + 1 }, () => waitAs(key, 1));
    const refused = await Promise.race(answers);
    expect(errorOf(refused)).toEqual([429, 'RATE_LIMITED', 'concurrency']);
    const [event] = sampleEvents(1, { workspace_id: other });
    const others = wait(other, 1);
    await audit.publish([event!]);
    expect((await others).status).toBe(200);
    await audit.publish(sampleEvents(1, { workspace_id: busy }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(most);
  });
});

describe('offsets', () => {
  const call = (workspaceId: string, method: string, name?: string, number?: number) =>
    audit.call(keyOf(workspaceId), method, '/event-log/offsets', {
      query: { workspaceId, ...(method === 'DELETE' && { name }) },
      ...(method === 'PUT' && { body: { name, number } }),
    });

  it('are stored, listed and deleted under a name', async () => {
    const workspaceId = await workspaceWith(3);
    expect((await call(workspaceId, 'GET')).body).toEqual({ data: [] });
    const stored = await call(workspaceId, 'PUT', 'mirror', 2);
    expect([stored.status, stored.body]).toEqual([
      200,
      { name: 'mirror', number: 2, updated_at: expect.stringMatching(/Z$/) },
    ]);
    await call(workspaceId, 'PUT', 'alerts.eu', 0);
    await call(workspaceId, 'PUT', 'mirror', 3);
    expect((await call(workspaceId, 'GET')).body.data).toMatchObject([
      { name: 'alerts.eu', number: 0 },
      { name: 'mirror', number: 3 },
    ]);
    expect((await call(workspaceId, 'DELETE', 'mirror')).status).toBe(204);
    expect((await call(workspaceId, 'DELETE', 'mirror')).status).toBe(404);
    expect((await call(workspaceId, 'GET')).body.data).toHaveLength(1);
  });

  it('are bounded in number, name and position', async () => {
    const workspaceId = await workspaceWith(1);
    const most = limits.eventOffsetsPerWorkspace;
    const names = Array.from({ length: most + 5 }, (_, n) => `program-${n}`);
    const answers = await Promise.all(names.map((name) => call(workspaceId, 'PUT', name, 1)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(most);
    expect(answers.filter(({ body }) => body.error === 'LIMIT_EXCEEDED')).toHaveLength(5);
    expect((await call(workspaceId, 'GET')).body.data).toHaveLength(most);
    const kept = (await call(workspaceId, 'GET')).body.data[0].name;
    expect((await call(workspaceId, 'PUT', kept, 0)).status).toBe(200);
    for (const [name, number] of [
      ['x'.repeat(101), 1],
      ['a b', 1],
      ['', 1],
      [kept, 2],
      [kept, -1],
    ] as const)
      expect([name, (await call(workspaceId, 'PUT', name, number)).status]).toEqual([name, 400]);
  });
});

describe('the log', () => {
  it('of a deleted workspace is removed, and takes in no late event', async () => {
    const workspaceId = await workspaceWith(2);
    await audit.call(keyOf(workspaceId), 'PUT', '/event-log/offsets', {
      body: { workspaceId, name: 'mirror', number: 1 },
    });
    const path = `/internal/workspaces/${workspaceId}/purge`;
    const purge = () => audit.call(servicePrincipal(), 'POST', path);
    await eventually(async () => expect((await purge()).body).toEqual({ is_done: true }));
    const other = sampleEvent();
    await audit.publish([sampleEvent({ workspace_id: workspaceId })]);
    await audit.publish([other]);
    await logged(other.workspace_id!, 1);
    expect((await read(workspaceId)).body).toEqual({ data: [], next_after: 0, newest: 0 });
    expect(await audit.collection('event_offsets').findOne({ _id: workspaceId })).toBeNull();
  });

  it('loses the data that mention an erased person, and keeps its numbers', async () => {
    const userId = newId();
    const actor: EventEnvelope['actor'] = { type: 'session', id: userId, name: 'Ada', key_prefix: null };
    const events = sampleEvents(2);
    const workspaceId = events[0]!.workspace_id!;
    await audit.publish([...events, sampleEvent({ workspace_id: workspaceId, actor })]);
    await logged(workspaceId, 3);
    expect(await erasePersonFromEventLog(audit.one.database, { userId, emails: [] })).toBe(1);
    expect(await erasePersonFromEventLog(audit.one.database, { userId, emails: [] })).toBe(0);
    const { data } = (await read(workspaceId)).body;
    expect(data.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3]);
    const erased = data.filter((event: { data: unknown }) => event.data === null);
    expect(erased).toMatchObject([{ actor: { id: userId, name: null }, data: null }]);
  });

  it('begins at higher numbers in a restored database, which tells every reader', async () => {
    const workspaceId = await workspaceWith(2);
    await beginEventLogsAnew(audit.one.database);
    expect(errorOf(await read(workspaceId, { after: 1 }))[2]).toBe('expired');
    expect(errorOf(await read(workspaceId, { after: 2 }))[2]).toBe('expired');
    const { body } = await read(workspaceId);
    await audit.publish(sampleEvents(1, { workspace_id: workspaceId }));
    const { data } = await logged(workspaceId, 1);
    expect(data[0].number).toBe(body.newest + 1);
    expect((await read(workspaceId, { after: body.next_after })).body.data).toHaveLength(1);
  });
});
