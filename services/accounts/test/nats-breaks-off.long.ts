import { afterAll, describe, expect, it } from '@jest/globals';
import { type EventEnvelope, hashSecret } from '@waymark/contracts';
import { deleteStream, eventually, streamOf, watchEvents } from '@waymark/testing';
import { useAccounts } from './accounts.ts';
import { startStoreRelay } from './store-relay.ts';

/** Older than the events that are published again after every outage. */
const LONG_AGO_MS = 3_600_000;

const relay = await startStoreRelay(String(process.env['NATS_URL']));
const accounts = await useAccounts({ env: { NATS_URL: relay.url } });
/** Uses a connection that does not break. */
const observer = await watchEvents({ ...accounts.env, NATS_URL: process.env['NATS_URL'] });
afterAll(async () => {
  await observer.stop();
  await relay.stop();
});

/** Collects the messages from now on, as JSON. */
async function listen<T>(subject: string): Promise<T[]> {
  const told: T[] = [];
  const messages = observer.nats.subscribe(subject);
  void (async () => {
    for await (const message of messages) told.push(message.json<T>());
  })();
  await observer.nats.flush();
  return told;
}

/** A person whose events are published, so that NATS is connected. */
async function signUp() {
  const owner = await accounts.signUp();
  await eventually(() => accounts.events.some(({ subject }) => subject.id === owner.userId));
  return owner;
}

describe('a NATS connection that breaks between a change and its announcement', () => {
  it('does not affect the response; the announcement follows after the reconnect', async () => {
    const owner = await signUp();
    const old = await accounts.createKey(owner);
    const announced = await listen<{ tags: Record<string, number> }>(streamOf(accounts.env).invalidations);
    const tag = `key:${hashSecret(old.key)}`;
    relay.breakOffAt(tag);
    const answer = await owner.call('POST', `/api-keys/${old.id}/rotate`, { body: {} });
    expect(relay.hasBrokenOff()).toBe(true);
    expect(answer.status).toBe(201);
    expect([await accounts.isUsable(old.key), await accounts.isUsable(answer.body.key)]).toEqual([
      false,
      true,
    ]);
    // The sweep publishes what has waited for two seconds.
    accounts.clock.aheadMs = 10_000;
    await eventually(() => announced.some(({ tags }) => tags[tag] === 2));
  });
});

describe('a stream that NATS has lost', () => {
  it('gets all events again, even if the connection breaks halfway', async () => {
    const owner = await signUp();
    for (let i = 0; i < 10; i += 1) {
      await owner.call('POST', '/workspaces', { body: { name: `No. ${i}` } });
    }
    const ofOwner = () => accounts.events.filter(({ actor }) => actor.id === owner.userId);
    await eventually(() => ofOwner().filter(({ type }) => type === 'workspace.created').length === 11);
    const ids = ofOwner().map(({ id }) => id);
    const { everySubject } = streamOf(accounts.env);
    const again = await listen<EventEnvelope>(everySubject);

    accounts.clock.aheadMs = LONG_AGO_MS;
    await deleteStream(observer, accounts.env);
    relay.breakOffAt(ids[5]!);
    relay.breakAllOff();
    await eventually(relay.hasBrokenOff);
    const missing = () => ids.filter((id) => !again.some((event) => event.id === id));
    await eventually(() => expect(missing()).toEqual([]));
  });
});
