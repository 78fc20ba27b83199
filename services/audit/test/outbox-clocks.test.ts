import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstIdAt, newId } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openService, type ServiceRuntime } from '@waymark/service-kit/service';
import { eventually, patience } from '@waymark/testing';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { sampleEvent } from './sample-event.ts';

const HOUR_MS = 3_600_000;
let audit: AuditStack;
let first: ServiceRuntime;
const opened: ServiceRuntime[] = [];

/** Opens a process of another service, whose events the audit log gets. */
async function open(overrides: Record<string, string> = {}): Promise<ServiceRuntime> {
  const MONGODB_DATABASE = `${audit.env['NATS_PREFIX']}_clocks`;
  const env = { ...audit.env, AUDIT_URL: audit.url, MONGODB_DATABASE, ...overrides };
  const config = readEnvironment(databaseEnvironment('decisions'), env);
  const service = openService({ service: 'decisions', indexes: {} }, config);
  opened.push(service);
  await service.database.ready;
  return service;
}

beforeAll(async () => {
  audit = await startAuditStack();
  first = await open();
  await eventually(() => first.nats.jetstream() !== null);
  first.outbox.start();
});
afterAll(async () => {
  await Promise.all(opened.map(({ outbox }) => outbox.stop()));
  await first.database.db.dropDatabase();
  await Promise.all(opened.map((service) => service.close()));
  await Promise.all(opened.map(({ database }) => database.close()));
  await audit.stop();
});

const rows = () => first.database.collection<{ _id: string; published_at?: Date }>('outbox');

/** Stores an event whose id was made by a clock that was `aheadMs` ahead, as a crash leaves it. */
async function store(aheadMs: number, marks: { pending?: true; published_at?: Date } = { pending: true }) {
  const id = firstIdAt(Date.now() + aheadMs).slice(0, 14) + newId().slice(14);
  const event = sampleEvent({ id });
  const { workspace_id, type } = event;
  const payload = JSON.stringify(event);
  await rows().insertOne({
    _id: id,
    workspace_id,
    type,
    payload,
    audited: true,
    tags: {},
    ...marks,
  } as never);
  return event;
}

describe('an outbox whose ids were made by clocks that differ', () => {
  it.each([-HOUR_MS, HOUR_MS])('publishes an event that waits, from a clock %d ms ahead', async (aheadMs) => {
    const event = await store(aheadMs);
    await audit.arrived([event]);
    await eventually(async () => (await rows().countDocuments({ pending: { $exists: true } })) === 0);
    expect(await rows().findOne({ _id: event.id })).toMatchObject({ published_at: expect.any(Date) });
  });

  it('reports how long an event from the future waits', async () => {
    const apart = await open({ NATS_URL: 'nats://127.0.0.1:1' });
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
    const next = await open();
    next.outbox.start();
    await audit.arrived([late]);
    await audit.arrived([markedBehind]);
    const known = await next.call('filterAuditedEvents', { body: { ids: [late.id, old.id] } });
    expect(known.ids).toEqual([late.id]);
  });
});

it.each([-HOUR_MS, HOUR_MS])('a process whose clock is %d ms ahead has MongoDB’s time', async (aheadMs) => {
  const { now: rightNow } = Date;
  let ownMs = aheadMs;
  Date.now = () => rightNow() + ownMs;
  const opening = open();
  Date.now = rightNow;
  const { now, metrics } = await opening;
  const skewSeconds = async () => {
    const sample = /^waymark_clock_skew_seconds\{against="mongodb",.*\} (\S+)$/m;
    return Number(sample.exec(await metrics.registry.metrics())?.[1]);
  };
  expect(Math.abs(now() - rightNow())).toBeLessThan(patience(5_000));
  expect(Math.abs((await skewSeconds()) - aheadMs / 1_000)).toBeLessThan(5);
  // Its own clock is set, and the next reading of MongoDB's has not come yet.
  ownMs = -3 * aheadMs;
  expect(Math.abs(now() - rightNow())).toBeLessThan(patience(5_000));
  ownMs = 0;
  expect(Math.abs(await skewSeconds())).toBeLessThan(0.1);
});
