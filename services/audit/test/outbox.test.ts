import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventEnvelope, firstIdAt, newId } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openService, type ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { eventually, patience } from '@waymark/testing';
import { auditStack } from './audit-stack.ts';
import { sampleEvent, sampleEvents } from './sample-event.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of the audit log and of a service whose outbox is past its retention. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
const audit = await auditStack({ now });
const opened: ServiceRuntime[] = [];

/** Opens a process of another service, whose events the audit log gets. */
async function open(
  name: string,
  { env = {}, now }: { env?: Record<string, string>; now?: () => number } = {},
): Promise<ServiceRuntime> {
  const { env: ofAudit, url } = audit.one;
  const MONGODB_DATABASE = `${ofAudit['NATS_PREFIX']}_${name}`;
  const config = readEnvironment(databaseEnvironment('decisions'), {
    ...{ ...ofAudit, AUDIT_URL: url, MONGODB_DATABASE },
    ...env,
  });
  const service = openService({ service: 'decisions', indexes: {} }, config, now ? { now } : {});
  opened.push(service);
  await service.database.ready;
  return service;
}
afterAll(async () => {
  await Promise.all(opened.map(({ outbox }) => outbox.stop()));
  const databases = new Map(opened.map(({ database }) => [database.db.databaseName, database.db]));
  await Promise.all([...databases.values()].map((database) => database.dropDatabase()));
  await Promise.all(opened.map((service) => service.close()));
});

const rowsOf = ({ database }: ServiceRuntime) =>
  database.collection<{ _id: string; published_at?: Date; pending?: true }>('outbox');
const rowOf = (event: EventEnvelope) => ({
  _id: event.id,
  workspace_id: event.workspace_id,
  type: event.type,
  payload: JSON.stringify(event),
  audited: event.action !== null,
  tags: {},
});

describe('an outbox whose ids were made by clocks that differ', () => {
  let first: ServiceRuntime;
  beforeAll(async () => {
    first = await open('clocks');
    await eventually(() => first.nats.jetstream() !== null);
    first.outbox.start();
  });

  /** Stores an event whose id was made by a clock that was `aheadMs` ahead, as a crash leaves it. */
  async function store(aheadMs: number, marks: { pending?: true; published_at?: Date } = { pending: true }) {
    const id = firstIdAt(Date.now() + aheadMs).slice(0, 14) + newId().slice(14);
    const event = sampleEvent({ id });
    await rowsOf(first).insertOne({ ...rowOf(event), ...marks });
    return event;
  }

  it('publishes events that wait, from a clock an hour behind and from one ahead', async () => {
    for (const event of [await store(-HOUR_MS), await store(HOUR_MS)]) {
      await audit.arrived([event]);
      await eventually(
        async () => (await rowsOf(first).countDocuments({ pending: { $exists: true } })) === 0,
      );
      const row = await rowsOf(first).findOne({ _id: event.id });
      expect(row).toMatchObject({ published_at: expect.any(Date) });
    }
  });

  it('reports how long an event from the future waits', async () => {
    const apart = await open('clocks', { env: { NATS_URL: 'nats://127.0.0.1:1' } });
    await first.outbox.stop();
    await store(HOUR_MS);
    await eventually(async () => {
      const text = await apart.metrics.registry.metrics();
      const [, seconds] = /^waymark_outbox_oldest_pending_seconds\{.*\} (\S+)$/m.exec(text) ?? [];
      expect(Number(seconds)).toBeGreaterThan(1);
    });
  });

  it('publishes again what NATS may have lost, by the time of publication or of the id', async () => {
    const late = await store(-HOUR_MS, { published_at: new Date() });
    const markedBehind = await store(0, { published_at: new Date(Date.now() - HOUR_MS) });
    const old = await store(-HOUR_MS, { published_at: new Date(Date.now() - HOUR_MS) });
    const next = await open('clocks');
    next.outbox.start();
    await audit.arrived([late]);
    await audit.arrived([markedBehind]);
    const known = await next.call('filterAuditedEvents', { body: { ids: [late.id, old.id] } });
    expect(known.ids).toEqual([late.id]);
  });

  it.each([-HOUR_MS, HOUR_MS])('a process whose clock is %d ms ahead has MongoDB’s time', async (skewMs) => {
    const { now: rightNow } = Date;
    let ownMs = skewMs;
    Date.now = () => rightNow() + ownMs;
    const opening = open('clocks');
    Date.now = rightNow;
    const { now: sharedNow, metrics } = await opening;
    const skewSeconds = async () => {
      const sample = /^waymark_clock_skew_seconds\{against="mongodb",.*\} (\S+)$/m;
      return Number(sample.exec(await metrics.registry.metrics())?.[1]);
    };
    expect(Math.abs(sharedNow() - rightNow())).toBeLessThan(patience(5_000));
    expect(Math.abs((await skewSeconds()) - skewMs / 1_000)).toBeLessThan(5);
    // Its own clock is set, and the next reading of MongoDB's has not come yet.
    ownMs = -3 * skewMs;
    expect(Math.abs(sharedNow() - rightNow())).toBeLessThan(patience(5_000));
    ownMs = 0;
    expect(Math.abs(await skewSeconds())).toBeLessThan(0.1);
  });
});

describe('an outbox past its retention', () => {
  let other: ServiceRuntime;
  beforeAll(async () => {
    other = await open('retention', { now });
    await eventually(() => other.nats.jetstream() !== null);
  });

  const rows = () => rowsOf(other);
  const audited = async (ids: string[]) => (await other.call('filterAuditedEvents', { body: { ids } })).ids;
  const store = (events: EventEnvelope[]) =>
    other.database.client.withSession((session) =>
      session.withTransaction(() => other.outbox.insert(events.map(rowOf), session)),
    );

  it('removes the events that are audited or never will be, and publishes the rest again', async () => {
    const known = sampleEvents(700);
    const silent = Array.from({ length: 600 }, () => sampleEvent({ action: null }));
    const lost = sampleEvent({ id: newId() });
    await audit.publish(known);
    await audit.arrived(known);
    await store([...known.slice(0, 350), ...silent, lost, ...known.slice(350)]);

    await other.outbox.prune(audited);
    expect(await rows().countDocuments()).toBe(1_301);

    aheadMs += 2 * DAY_MS;
    await other.outbox.prune(audited);
    expect(await rows().distinct('_id')).toEqual([lost.id]);
    await audit.arrived([lost]);
    await other.outbox.prune(audited);
    expect(await rows().countDocuments()).toBe(0);
  });

  it('removes late events of a deleted workspace, which the audit log never accepts', async () => {
    const late = sampleEvent();
    const personal = sampleEvent({ type: 'user.signed_in', action: 'user.sign_in', workspace_id: null });
    await workspacePurge(other.database).purge(late.workspace_id!);
    await store([late, personal]);
    aheadMs += 2 * DAY_MS;
    await other.outbox.prune(audited);
    expect(await rows().distinct('_id')).toEqual([personal.id]);
    await audit.arrived([personal]);
    expect(audit.one.events.map(({ id }) => id)).not.toContain(late.id);
    await other.outbox.prune(audited);
    expect(await rows().countDocuments()).toBe(0);
  });
});
