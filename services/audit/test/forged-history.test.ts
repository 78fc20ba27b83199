import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditVerification, type EventEnvelope, newId } from '@waymark/contracts';
import { eventually, servicePrincipal, streamOf } from '@waymark/testing';
import { type AuditOperator, erasePersonFromAudit, openAuditOperator } from '../src/operator.ts';
import { startAudit } from '../src/service.ts';
import { linesOf } from '../src/verification/lines.ts';
import { verifyExport } from '../src/verification/verify-export.ts';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { resealFrom } from './sample-chain.ts';
import { sampleEvents } from './sample-event.ts';

let audit: AuditStack;
let operator: AuditOperator;
beforeAll(async () => {
  audit = await startAuditStack();
  operator = await openAuditOperator(audit.env);
});
afterAll(async () => {
  await operator.close();
  await audit.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape
const collection = (name: string) => audit.database.collection(name) as any;

async function newChain(length = 6) {
  const events = sampleEvents(length);
  await audit.publish(events);
  await audit.arrived(events);
  return { id: events[0]!.workspace_id!, events };
}
type Chain = Awaited<ReturnType<typeof newChain>>;

const get = (chain: Chain, path: string) =>
  audit.call(audit.reader(chain.events), 'GET', path, { query: { workspaceId: chain.id } });
const verify = async (chain: Chain): Promise<AuditVerification> =>
  (await get(chain, '/audit-log/verify')).body;

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

async function verifyOffline(chain: Chain) {
  const { text } = await get(chain, '/audit-log/export');
  const { public_key: publicKey } = await verify(chain);
  async function* chunks() {
    yield text;
  }
  return verifyExport(linesOf(chunks()), { publicKey });
}

/** Removes entry 3 and recomputes everything after it, with a head that names the result. */
async function rewrite(chain: Chain) {
  const entries = (await get(chain, '/audit-log')).body.data.reverse();
  const forged = resealFrom(entries.toSpliced(2, 1), 1);
  await collection('entries').deleteMany({ chain: chain.id, seq: { $gte: 3 } });
  const stored = await collection('entries').findOne({ chain: chain.id, seq: 1 });
  for (const { id, actor, ip, user_agent, changes, ...entry } of forged.slice(2)) {
    await collection('entries').insertOne({ ...stored, ...entry, _id: id });
  }
  const { seq, hash } = forged.at(-1)!;
  await collection('heads').updateOne({ _id: chain.id }, { $set: { seq, hash } });
}

/** Sets entries and head back to the state after entry 3, as a restored database would be. */
async function setBack(chain: Chain, older: object) {
  await collection('entries').deleteMany({ chain: chain.id, seq: { $gt: 3 } });
  await collection('heads').replaceOne({ _id: chain.id }, older);
}

async function chainWithOlderHead(more = 3) {
  const chain = await newChain(3);
  const older = await collection('heads').findOne({ _id: chain.id });
  const later = sampleEvents(more, { workspace_id: chain.id });
  await audit.publish(later);
  await audit.arrived(chain.events, 3 + more);
  return { ...chain, older, later };
}

async function deleteChain(chain: Chain) {
  await collection('entries').deleteMany({ chain: chain.id });
  await collection('heads').deleteOne({ _id: chain.id });
}

const forgeries: [string, string, () => Promise<Chain>][] = [
  ['an entry removed and the hashes recomputed', 'invalid', async () => forged(await newChain(), rewrite)],
  ['a chain deleted with its head', 'missing', async () => forged(await newChain(), deleteChain)],
  [
    'a head removed',
    'missing',
    async () => forged(await newChain(), ({ id }) => collection('heads').deleteOne({ _id: id })),
  ],
  [
    'a malformed head',
    'invalid',
    async () =>
      forged(await newChain(), ({ id }) =>
        collection('heads').updateOne({ _id: id }, { $unset: { hash: 1 } }),
      ),
  ],
  [
    'entries added after the head',
    'invalid',
    async () =>
      forged(await newChain(), async ({ id }) => {
        const last = await collection('entries').findOne({ chain: id, seq: 6 });
        await collection('entries').insertOne({ ...last, _id: newId(), seq: 7 });
      }),
  ],
  [
    'a chain set back to an older signed head',
    'older',
    async () => {
      const chain = await chainWithOlderHead();
      return forged(chain, () => setBack(chain, chain.older));
    },
  ],
  [
    'a workspace marked as deleted in MongoDB alone',
    'missing',
    async () =>
      forged(await newChain(), ({ id }) =>
        collection('deleted_workspaces').insertOne({ _id: id, deleted_at: new Date() }),
      ),
  ],
];

async function forged(chain: Chain, forge: (chain: Chain) => Promise<unknown>): Promise<Chain> {
  await forge(chain);
  return chain;
}

describe('a forged history', () => {
  it.each(forgeries)('is never signed: %s', async (name, reason, forge) => {
    const chain = await forge();
    const other = await newChain(2);
    await publishHeld(chain, 2);
    const found = await verify(chain);
    if (!name.includes('deleted in MongoDB')) expect(found).toMatchObject({ valid: false });
    expect(found.stopped).toEqual({ reason, at: expect.any(String), held_events: 2 });
    await audit.publish(sampleEvents(2, { workspace_id: other.id }));
    await audit.arrived(other.events, 4);
    expect(await verify(other)).toMatchObject({ valid: true, entries: 4, stopped: null });
    const metrics = await (await fetch(`http://127.0.0.1:${audit.adminPort}/metrics`)).text();
    expect(metrics).toMatch(new RegExp(`waymark_audit_stopped_chains\\{reason="${reason}",.*\\} [1-9]`));
  });

  it('is never signed by a process that has just started', async () => {
    const chain = await newChain();
    await rewrite(chain);
    const second = await startAudit(audit.env);
    try {
      await publishHeld(chain, 5);
      expect(await verify(chain)).toMatchObject({ valid: false, stopped: { reason: 'invalid' } });
    } finally {
      await second.stop();
    }
  });

  it('is found without an event, by the comparison at the start of a process', async () => {
    const chain = await chainWithOlderHead();
    await setBack(chain, chain.older);
    const second = await startAudit(audit.env);
    try {
      await eventually(async () => (await verify(chain)).stopped !== null);
    } finally {
      await second.stop();
    }
    const reason = expect.stringContaining('older than the event stream');
    expect(await verify(chain)).toMatchObject({ valid: false, fault: { seq: 4, reason } });
  });
});

describe('a stream of heads that NATS has lost', () => {
  it('is written again, also for chains without events', async () => {
    const [idle, busy] = [await newChain(2), await newChain(2)];
    const manager = await audit.peer.nats.manager();
    await manager.streams.delete(streamOf(audit.env).auditHeadsName);
    await audit.publish(sampleEvents(1, { workspace_id: busy.id }));
    await audit.arrived(busy.events, 3);
    const second = await startAudit(audit.env);
    const key = `${streamOf(audit.env).auditHeads}.${idle.id}`;
    try {
      await eventually(() =>
        manager.streams.getMessage(streamOf(audit.env).auditHeadsName, { last_by_subj: key }),
      );
    } finally {
      await second.stop();
    }
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
    await audit.publish(sampleEvents(1, { workspace_id: chain.id }));
    await audit.arrived(chain.events, 10);
    expect(await operator.resume(chain.id)).toBeNull();
  });

  it.each(forgeries.slice(0, 6))('names the gap of %s', async (_, reason, forge) => {
    const chain = await forge();
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
    await audit.publish(sampleEvents(2, { workspace_id: chain.id }));
    await audit.arrived(chain.events, 7);
    await collection('entries').deleteMany({ chain: chain.id, seq: { $gt: 8 } });
    await collection('heads').replaceOne({ _id: chain.id }, head);
    await publishHeld(chain);
    await operator.resume(chain.id);
    const found = await verify(chain);
    expect(found).toMatchObject({ valid: true, entries: 6 });
    expect(found.segments.map((one) => [one.after_seq, one.until_seq])).toEqual([
      [3, 6],
      [8, 10],
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
    const { status, body } = await audit.call(servicePrincipal(), 'POST', path);
    expect([status, body]).toEqual([200, { is_done: true }]);
    const other = await newChain(1);
    await audit.publish(sampleEvents(2, { workspace_id: chain.id }));
    await audit.publish(sampleEvents(1, { workspace_id: other.id }));
    await audit.arrived(other.events, 2);
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
      expect(await erasePersonFromAudit(audit.database, audit.env, { userId, emails: [userId] })).toBe(1);
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
