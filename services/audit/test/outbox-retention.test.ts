import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventEnvelope, newId } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openService, type ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { eventually } from '@waymark/testing';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { sampleEvent, sampleEvents } from './sample-event.ts';

const DAY_MS = 86_400_000;
let audit: AuditStack;
let other: ServiceRuntime;
let clockMs = Date.now();

beforeAll(async () => {
  audit = await startAuditStack();
  const env = { ...audit.env, AUDIT_URL: audit.url, MONGODB_DATABASE: `${audit.env['NATS_PREFIX']}_other` };
  const config = readEnvironment(databaseEnvironment('decisions'), env);
  other = openService({ service: 'decisions', indexes: {} }, config, { seams: { now: () => clockMs } });
  await other.database.ready;
  await eventually(() => other.nats.jetstream() !== null);
});
afterAll(async () => {
  await other.database.db.dropDatabase();
  await other.close();
  await other.database.close();
  await audit.stop();
});

const rows = () => other.database.collection<{ _id: string }>('outbox');
const audited = async (ids: string[]) => (await other.call('filterAuditedEvents', { body: { ids } })).ids;

async function store(events: EventEnvelope[]) {
  await other.database.client.withSession((session) =>
    session.withTransaction(() =>
      other.outbox.insert(
        events.map((event) => ({
          _id: event.id,
          workspace_id: event.workspace_id,
          type: event.type,
          payload: JSON.stringify(event),
          audited: event.action !== null,
          tags: {},
        })),
        session,
      ),
    ),
  );
}

describe('an outbox past its retention', () => {
  it('removes the events that are audited or never will be, and publishes the rest again', async () => {
    const known = sampleEvents(700);
    const silent = Array.from({ length: 600 }, () => sampleEvent({ action: null }));
    const lost = sampleEvent({ id: newId() });
    await audit.publish(known);
    await audit.arrived(known);
    await store([...known.slice(0, 350), ...silent, lost, ...known.slice(350)]);

    await other.outbox.prune(audited);
    expect(await rows().countDocuments()).toBe(1_301);

    clockMs += 2 * DAY_MS;
    await other.outbox.prune(audited);
    expect(await rows().distinct('_id')).toEqual([lost.id]);
    await audit.arrived([lost]);
    await other.outbox.prune(audited);
    expect(await rows().countDocuments()).toBe(0);
  });

  it('removes late events of a deleted workspace, which the audit log never accepts', async () => {
    const late = sampleEvent();
    const personal = sampleEvent({ workspace_id: null });
    await workspacePurge(other.database).purge(late.workspace_id!);
    await store([late, personal]);
    clockMs += 2 * DAY_MS;
    await other.outbox.prune(audited);
    expect(await rows().distinct('_id')).toEqual([personal.id]);
    await audit.arrived([personal]);
    expect(audit.events.map(({ id }) => id)).not.toContain(late.id);
    await other.outbox.prune(audited);
    expect(await rows().countDocuments()).toBe(0);
  });
});
