import { afterAll, describe, expect, it } from '@jest/globals';
import { type EventEnvelope, newId } from '@waymark/contracts';
import { eventually, servicePrincipal, streamOf } from '@waymark/testing';
import { erasePersonFromAudit, openAuditOperator } from '../src/operator.ts';
import { auditStack, type Chain, metricsAt } from './audit-stack.ts';
import { resealFrom } from './sample-chain.ts';
import { sampleEvents } from './sample-event.ts';

const audit = await auditStack();
const { collection, newChain, verify, verifyOffline } = audit;
const operator = await openAuditOperator(audit.one.env);
afterAll(() => operator.close());

/** Publishes events of the chain, and waits until they are held. */
async function publishHeld(chain: Chain, count = 1): Promise<EventEnvelope[]> {
  const more = sampleEvents(count, { workspace_id: chain.id });
  await audit.publish(more);
  await eventually(async () => {
    const ids = more.map(({ id }) => id);
    return (await collection('held_events').countDocuments({ _id: { $in: ids } })) === count;
  });
  return more;
}

/** Removes entry 3 and recomputes everything after it, with a head that names the result. */
async function rewrite(chain: Chain) {
  const entries = await audit.entries(chain);
  const forged = resealFrom(entries.toSpliced(2, 1), 1);
  await collection('entries').deleteMany({ chain: chain.id, seq: { $gte: 3 } });
  const stored = await collection('entries').findOne({ chain: chain.id, seq: 1 });
  for (const { id, actor, ip, user_agent, changes, ...entry } of forged.slice(2)) {
    await collection('entries').insertOne({ ...stored, ...entry, _id: id });
  }
  const { seq, hash } = forged.at(-1)!;
  await collection('heads').updateOne({ _id: chain.id }, { $set: { seq, hash } });
}

/** A chain of six entries, with its head after the third. */
async function chainWithOlderHead() {
  const chain = await newChain(3);
  const older = await collection('heads').findOne({ _id: chain.id });
  await audit.extend(chain, 3, 6);
  return { ...chain, older };
}

/** Sets entries and head back to the state after an entry, as in a restored database. */
async function setBack({ id }: Chain, older: { seq: number }) {
  await collection('entries').deleteMany({ chain: id, seq: { $gt: older.seq } });
  await collection('heads').replaceOne({ _id: id }, older);
}

type Forgery = (chain: Chain) => Promise<unknown>;
const ofNewChain = (forge: Forgery) => async () => {
  const chain = await newChain();
  await forge(chain);
  return chain;
};
const forgeries: [name: string, reason: string, make: () => Promise<Chain>][] = [
  ['an entry removed and the hashes recomputed', 'invalid', ofNewChain(rewrite)],
  [
    'a chain deleted with its head',
    'missing',
    ofNewChain(async ({ id }) => {
      await collection('entries').deleteMany({ chain: id });
      await collection('heads').deleteOne({ _id: id });
    }),
  ],
  ['a head removed', 'missing', ofNewChain(({ id }) => collection('heads').deleteOne({ _id: id }))],
  [
    'a malformed head',
    'invalid',
    ofNewChain(({ id }) => collection('heads').updateOne({ _id: id }, { $unset: { hash: 1 } })),
  ],
  [
    'entries added after the head',
    'invalid',
    ofNewChain(async ({ id }) => {
      const last = await collection('entries').findOne({ chain: id, seq: 6 });
      await collection('entries').insertOne({ ...last, _id: newId(), seq: 7 });
    }),
  ],
  [
    'a chain set back to an older signed head',
    'older',
    async () => {
      const chain = await chainWithOlderHead();
      await setBack(chain, chain.older);
      return chain;
    },
  ],
  [
    'a workspace marked as deleted in MongoDB alone',
    'missing',
    ofNewChain(({ id }) => collection('deleted_workspaces').insertOne({ _id: id, deleted_at: new Date() })),
  ],
];

describe('a forged history', () => {
  it.each(forgeries)('is never signed: %s', async (name, reason, make) => {
    const chain = await make();
    const other = await newChain(2);
    await publishHeld(chain, 2);
    const found = await verify(chain);
    if (!name.includes('deleted in MongoDB')) expect(found).toMatchObject({ valid: false });
    expect(found.stopped).toEqual({ reason, at: expect.any(String), held_events: 2 });
    await audit.extend(other, 2, 4);
    expect(await verify(other)).toMatchObject({ valid: true, entries: 4, stopped: null });
    expect(await metricsAt(audit.one)).toMatch(
      new RegExp(`waymark_audit_stopped_chains\\{reason="${reason}",.*\\} [1-9]`),
    );
  });

  it('is never signed by a process that has just started', async () => {
    const chain = await newChain();
    await rewrite(chain);
    await audit.besideReplica(async () => {
      await publishHeld(chain, 5);
      expect(await verify(chain)).toMatchObject({ valid: false, stopped: { reason: 'invalid' } });
    });
  });

  it('is found without an event, by the comparison at the start of a process', async () => {
    const chain = await chainWithOlderHead();
    await setBack(chain, chain.older);
    await audit.besideReplica(() => eventually(async () => (await verify(chain)).stopped !== null));
    const reason = expect.stringContaining('older than the event stream');
    expect(await verify(chain)).toMatchObject({ valid: false, fault: { seq: 4, reason } });
  });
});

describe('a stream of heads that NATS has lost', () => {
  it('is written again, also for chains without events', async () => {
    const [idle, busy] = [await newChain(2), await newChain(2)];
    const { auditHeads, auditHeadsName } = streamOf(audit.one.env);
    const { streams } = await audit.manager();
    await streams.delete(auditHeadsName);
    await audit.extend(busy, 1, 3);
    const last_by_subj = `${auditHeads}.${idle.id}`;
    await audit.besideReplica(() => eventually(() => streams.getMessage(auditHeadsName, { last_by_subj })));
    for (const chain of [idle, busy])
      expect(await verify(chain)).toMatchObject({ valid: true, stopped: null });
  });
});

describe('waymark audit resume', () => {
  it('signs the intact chain again after its head was removed; nothing is lost', async () => {
    const chain = await newChain();
    await collection('heads').deleteOne({ _id: chain.id });
    await publishHeld(chain, 3);
    expect(await operator.resume(chain.id)).toEqual({ segment: null, appended: 3, refused: 0 });
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 9, segments: [], stopped: null });
    await audit.extend(chain, 1, 10);
    expect(await operator.resume(chain.id)).toBeNull();
  });

  it.each(forgeries.slice(0, 6))('names the gap of %s', async (_, reason, make) => {
    const chain = await make();
    await publishHeld(chain, 2);
    const found = await operator.resume(chain.id);
    expect(found).toMatchObject({ appended: 2, refused: 0 });
    const after = await verify(chain);
    expect(after).toMatchObject({ valid: true, stopped: null, fault: null });
    expect(after.segments).toEqual(found!.segment ? [found!.segment] : []);
    if (found!.segment) expect(after.segments[0]).toMatchObject({ reason, known_seq: 6 });
    await audit.publish(sampleEvents(1, { workspace_id: chain.id }));
    await eventually(async () => (await verify(chain)).entries === after.entries + 1);
    const offline = await verifyOffline(chain);
    expect(offline).toMatchObject({ valid: true, entries: after.entries + 1, segments: after.segments });
  });

  it('survives a second gap, and none can be taken away or changed', async () => {
    const chain = await chainWithOlderHead();
    await setBack(chain, chain.older);
    await publishHeld(chain, 2);
    await operator.resume(chain.id);
    const head = await collection('heads').findOne({ _id: chain.id });
    await audit.extend(chain, 2, 7);
    await setBack(chain, head);
    await publishHeld(chain);
    await operator.resume(chain.id);
    const found = await verify(chain);
    expect(found).toMatchObject({ valid: true, entries: 6 });
    expect(found.segments).toMatchObject([
      { after_seq: 3, until_seq: 6 },
      { after_seq: 8, until_seq: 10 },
    ]);
    expect(await verifyOffline(chain)).toMatchObject({ valid: true });
    const segments = collection('segments');
    const first = await segments.findOneAndDelete({ chain: chain.id, until_seq: 6 });
    expect(await verify(chain)).toMatchObject({ valid: false });
    await segments.insertOne({ ...first, until_seq: 5 });
    expect(await verify(chain)).toMatchObject({ valid: false });
  });

  it('appends no held event that somebody has changed', async () => {
    const chain = await newChain();
    await collection('heads').deleteOne({ _id: chain.id });
    const [first, second, third] = await publishHeld(chain, 3);
    const held = collection('held_events');
    await held.updateOne({ _id: first!.id }, { $set: { action: 'decision.read' } });
    await held.updateOne({ _id: second!.id }, { $set: { details: null, details_salt: null } });
    expect(await operator.resume(chain.id)).toEqual({ segment: null, appended: 1, refused: 2 });
    const entries = await audit.arrived(chain.events, 7);
    expect(entries.map(({ _id }) => _id).slice(6)).toEqual([third!.id]);
  });

  it('continues a chain after a deletion that MongoDB alone claims, once the mark is removed', async () => {
    const chain = await newChain();
    await collection('deleted_workspaces').insertOne({ _id: chain.id, deleted_at: new Date() });
    await publishHeld(chain);
    await expect(operator.resume(chain.id)).rejects.toThrow('deleted_workspaces');
    await collection('deleted_workspaces').deleteOne({ _id: chain.id });
    expect(await operator.resume(chain.id)).toEqual({ segment: null, appended: 1, refused: 0 });
  });
});

describe('a deleted workspace', () => {
  it('drops late events, and leaves no stopped chain', async () => {
    const chain = await newChain();
    const path = `/internal/workspaces/${chain.id}/purge`;
    const purge = () => audit.call(servicePrincipal(), 'POST', path);
    await eventually(async () => expect((await purge()).body).toEqual({ is_done: true }));
    await audit.publish(sampleEvents(2, { workspace_id: chain.id }));
    await audit.settled();
    expect((await verify(chain)).stopped).toBeNull();
    for (const name of ['entries', 'held_events'])
      expect(await collection(name).countDocuments({ chain: chain.id })).toBe(0);
  });
});

describe('erased details', () => {
  it('are valid only with the signed record that an erasure leaves, also of held events', async () => {
    const chain = await newChain();
    await collection('heads').deleteOne({ _id: chain.id });
    const [held] = await publishHeld(chain);
    const persons = [chain.events[1]!, held!].map(({ actor }) => actor.id!);
    for (const userId of persons)
      expect(
        await erasePersonFromAudit(audit.one.database, audit.one.env, { userId, emails: [userId] }),
      ).toBe(1);
    await operator.resume(chain.id);
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 7, erased: 2 });
    expect(await verifyOffline(chain)).toMatchObject({ valid: true, erased: 2 });

    const erased = await collection('entries').findOne({ chain: chain.id, seq: 2 });
    const { erasure } = erased;
    const $set = { details: null, details_salt: null, erasure };
    await collection('entries').updateOne({ chain: chain.id, seq: 4 }, { $set });
    expect(await verify(chain)).toMatchObject({ valid: false, fault: { seq: 4 } });
  });
});
