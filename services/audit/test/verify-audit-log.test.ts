import { describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { erasePersonFromAudit } from '../src/operator.ts';
import { auditStack, type Chain } from './audit-stack.ts';
import { resealFrom } from './sample-chain.ts';
import { sampleEvents } from './sample-event.ts';

const audit = await auditStack();
const { collection, newChain, verify, verifyOffline } = audit;

describe('GET /audit-log/verify', () => {
  it('finds an unchanged chain valid, also while it grows', async () => {
    const chain = await newChain();
    const more = sampleEvents(150, { workspace_id: chain.id });
    const publishing = audit.publish(more);
    const early = await verify(chain);
    expect(early).toMatchObject({ valid: true, fault: null });
    await publishing;
    await audit.arrived(chain.events, 156);
    expect(await verify(chain)).toEqual({
      valid: true,
      entries: 156,
      erased: 0,
      checkpoint: null,
      segments: [],
      stopped: null,
      head: {
        chain: chain.id,
        seq: 156,
        hash: (await audit.entries(chain)).at(-1)!.hash,
        key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        signature: expect.any(String),
      },
      public_key: expect.any(String),
      fault: null,
    });
  });

  it('finds a workspace without entries valid', async () => {
    const principal = keyPrincipal();
    const query = { workspaceId: principal.workspace_id };
    const { body } = await audit.call(principal, 'GET', '/audit-log/verify', { query });
    expect(body).toMatchObject({ valid: true, entries: 0, head: null, public_key: expect.any(String) });
  });

  it('stays valid when the personal details of an entry are erased', async () => {
    const chain = await newChain();
    const userId = chain.events[2]!.actor.id!;
    expect(await erasePersonFromAudit(audit.one.database, audit.one.env, { userId, emails: [userId] })).toBe(
      1,
    );
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 6, erased: 1 });
    expect(await verifyOffline(chain)).toMatchObject({ valid: true, entries: 6, erased: 1 });
    expect((await audit.entries(chain))[2]).toMatchObject({
      actor: { id: chain.events[2]!.actor.id, name: null, key_prefix: null },
      ip: null,
      user_agent: null,
      changes: null,
    });
  });
});

/** chain.test.ts has the other ways to edit an entry. These are special in the database. */
const tamperings: [string, number, (chain: Chain) => Promise<unknown>][] = [
  ['an edited action', 3, ofEntry(3, { $set: { action: 'decision.read' } })],
  ['a removed actor', 2, ofEntry(2, { $unset: { actor: 1 } })],
  ['a value of another type', 4, ofEntry(4, { $set: { created_at: new Date() } })],
  ['an edited address', 3, ofEntry(3, { $set: { details: '{"ip":"192.0.2.1"}' } })],
  ['damaged details', 3, ofEntry(3, { $set: { details: '{"ip' } })],
  [
    'details removed without a signed erasure',
    3,
    ofEntry(3, { $set: { details: null, details_salt: null } }),
  ],
  ['a deleted middle', 3, ({ id }) => collection('entries').deleteMany({ chain: id, seq: { $in: [3, 4] } })],
  ['a deleted tail', 6, ({ id }) => collection('entries').deleteOne({ chain: id, seq: 6 })],
  ['all entries deleted', 1, ({ id }) => collection('entries').deleteMany({ chain: id })],
  ['a head set back with its tail cut off', 3, setBack],
  ['recomputed hashes and a head that names them', 6, rewriteWithHead],
];

function ofEntry(seq: number, change: object) {
  return ({ id }: Chain) => collection('entries').updateOne({ chain: id, seq }, change);
}

async function setBack({ id }: Chain) {
  const { hash } = await collection('entries').findOne({ chain: id, seq: 3 });
  await collection('heads').updateOne({ _id: id }, { $set: { seq: 3, hash } });
  await collection('entries').deleteMany({ chain: id, seq: { $gt: 3 } });
}

async function rewriteWithHead(chain: Chain) {
  const entries = await audit.entries(chain);
  const edited = entries.with(2, { ...entries[2]!, action: 'decision.read' });
  const rewritten = resealFrom(edited, 3);
  for (const { id, action, hash, prev_hash } of rewritten) {
    await collection('entries').updateOne({ _id: id }, { $set: { action, hash, prev_hash } });
  }
  await collection('heads').updateOne({ _id: chain.id }, { $set: { hash: rewritten.at(-1)!.hash } });
}

describe('tampering in the database', () => {
  it.each(tamperings)('is found: %s', async (_, seq, tamper) => {
    const chain = await newChain();
    await tamper(chain);
    const fault = { seq, reason: expect.stringMatching(/.{10}/) };
    expect(await verify(chain)).toMatchObject({ valid: false, fault });
    expect(await verifyOffline(chain)).toMatchObject({ valid: false, fault });
  });
});
