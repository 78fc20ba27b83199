import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEntry, EventEnvelope } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { erasePersonFromAudit } from '../src/operator.ts';
import { linesOf } from '../src/verification/lines.ts';
import { verifyExport } from '../src/verification/verify-export.ts';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { resealFrom } from './sample-chain.ts';
import { sampleEvents } from './sample-event.ts';

let audit: AuditStack;
beforeAll(async () => {
  audit = await startAuditStack();
});
afterAll(() => audit.stop());

interface Chain {
  id: string;
  events: EventEnvelope[];
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
  entries: any;
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
  heads: any;
}

async function newChain(length = 6): Promise<Chain> {
  const events = sampleEvents(length);
  await audit.publish(events);
  await audit.arrived(events);
  const { database } = audit;
  return {
    id: events[0]!.workspace_id!,
    events,
    entries: database.collection('entries'),
    heads: database.collection('heads'),
  };
}

function get(chain: Chain, path: string, query = {}) {
  return audit.call(audit.reader(chain.events), 'GET', path, { query: { workspaceId: chain.id, ...query } });
}

const verify = async (chain: Chain) => (await get(chain, '/audit-log/verify')).body;

async function verifyOffline(chain: Chain, savedHead?: Parameters<typeof verifyExport>[1]['savedHead']) {
  const { text } = await get(chain, '/audit-log/export');
  const { public_key: publicKey } = await verify(chain);
  async function* chunks() {
    yield text;
  }
  return verifyExport(linesOf(chunks()), { publicKey, savedHead });
}

async function wireEntries(chain: Chain): Promise<AuditEntry[]> {
  return (await get(chain, '/audit-log')).body.data.reverse();
}

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
        hash: (await wireEntries(chain)).at(-1)!.hash,
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
    expect(await erasePersonFromAudit(audit.database, audit.env, { userId, emails: [userId] })).toBe(1);
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 6, erased: 1 });
    expect(await verifyOffline(chain)).toMatchObject({ valid: true, entries: 6, erased: 1 });
    expect((await wireEntries(chain))[2]).toMatchObject({
      actor: { id: chain.events[2]!.actor.id, name: null, key_prefix: null },
      ip: null,
      user_agent: null,
      changes: null,
    });
  });
});

const otherHash = 'a'.repeat(64);
const tamperings: [string, number, (chain: Chain) => Promise<unknown>][] = [
  [
    'an edited action',
    3,
    (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { action: 'decision.read' } }),
  ],
  [
    'an edited actor',
    2,
    (c) => c.entries.updateOne({ chain: c.id, seq: 2 }, { $set: { 'actor.id': 'someone' } }),
  ],
  ['a removed actor', 2, (c) => c.entries.updateOne({ chain: c.id, seq: 2 }, { $unset: { actor: 1 } })],
  [
    'a moved time',
    1,
    (c) => c.entries.updateOne({ chain: c.id, seq: 1 }, { $set: { created_at: '2026-01-01T00:00:00.000Z' } }),
  ],
  [
    'a value of another type',
    4,
    (c) => c.entries.updateOne({ chain: c.id, seq: 4 }, { $set: { created_at: new Date() } }),
  ],
  [
    'an edited address',
    3,
    (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { details: '{"ip":"192.0.2.1"}' } }),
  ],
  ['damaged details', 3, (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { details: '{"ip' } })],
  [
    'details removed without a signed erasure',
    3,
    (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { details: null, details_salt: null } }),
  ],
  [
    'details erased without their salt',
    3,
    (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { details: null } }),
  ],
  [
    'a salt erased without its details',
    3,
    (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { details_salt: null } }),
  ],
  ['an edited hash', 3, (c) => c.entries.updateOne({ chain: c.id, seq: 3 }, { $set: { hash: otherHash } })],
  ['a deleted first entry', 1, (c) => c.entries.deleteOne({ chain: c.id, seq: 1 })],
  ['a deleted middle', 3, (c) => c.entries.deleteMany({ chain: c.id, seq: { $in: [3, 4] } })],
  ['a deleted tail', 6, (c) => c.entries.deleteOne({ chain: c.id, seq: 6 })],
  ['all entries deleted', 1, (c) => c.entries.deleteMany({ chain: c.id })],
  ['a head set back with its tail cut off', 3, setBack],
  ['recomputed hashes behind the head', 6, (c) => rewrite(c, 3)],
  ['recomputed hashes and a head that names them', 6, rewriteWithHead],
];

async function setBack(chain: Chain) {
  const { hash } = await chain.entries.findOne({ chain: chain.id, seq: 3 });
  await chain.heads.updateOne({ _id: chain.id }, { $set: { seq: 3, hash } });
  await chain.entries.deleteMany({ chain: chain.id, seq: { $gt: 3 } });
}

async function rewrite(chain: Chain, seq: number): Promise<string> {
  const entries = await wireEntries(chain);
  const edited = entries.with(seq - 1, { ...entries[seq - 1]!, action: 'decision.read' });
  const rewritten = resealFrom(edited, seq);
  for (const { id, action, hash, prev_hash } of rewritten) {
    await chain.entries.updateOne({ _id: id }, { $set: { action, hash, prev_hash } });
  }
  return rewritten.at(-1)!.hash;
}

async function rewriteWithHead(chain: Chain) {
  const hash = await rewrite(chain, 3);
  await chain.heads.updateOne({ _id: chain.id }, { $set: { hash } });
}

describe('tampering in the database', () => {
  it.each(tamperings)('is found: %s', async (_, seq, tamper) => {
    const chain = await newChain();
    await tamper(chain);
    const fault = { seq, reason: expect.stringMatching(/.{10}/) };
    expect(await verify(chain)).toMatchObject({ valid: false, fault });
    expect(await verifyOffline(chain)).toMatchObject({ valid: false, fault });
  });

  it('is found: a deleted head', async () => {
    const chain = await newChain();
    const { head } = await verify(chain);
    await chain.heads.deleteOne({ _id: chain.id });
    expect(await verify(chain)).toMatchObject({ valid: false, head: null, fault: { seq: 1 } });
    expect(await verifyOffline(chain, head)).toMatchObject({ valid: false, fault: { seq: 1 } });
  });

  it('is found: entries after an older signed head', async () => {
    const chain = await newChain();
    const older = await chain.heads.findOne({ _id: chain.id });
    const more = sampleEvents(2, { workspace_id: chain.id });
    await audit.publish(more);
    await audit.arrived(chain.events, 8);
    const { head: saved } = await verify(chain);
    await chain.heads.replaceOne({ _id: chain.id }, older);
    expect(await verify(chain)).toMatchObject({ valid: false, fault: { seq: 7 } });
    // An export ends at its head, so the offline verification needs a saved head.
    expect(await verifyOffline(chain, saved)).toMatchObject({ valid: false, fault: { seq: 7 } });
  });

  it('is found: a chain truncated together with its head; offline only by a saved head', async () => {
    const chain = await newChain();
    const older = await chain.heads.findOne({ _id: chain.id });
    const more = sampleEvents(2, { workspace_id: chain.id });
    await audit.publish(more);
    await audit.arrived(chain.events, 8);
    const { head: saved } = await verify(chain);
    expect(await verifyOffline(chain, saved)).toMatchObject({ valid: true });
    // The export itself adds an entry.
    await audit.arrived(chain.events, 9);

    await chain.entries.deleteMany({ chain: chain.id, seq: { $gt: 6 } });
    await chain.heads.replaceOne({ _id: chain.id }, older);
    expect(await verify(chain)).toMatchObject({ valid: false, entries: 6, fault: { seq: 7 } });
    expect(await verifyOffline(chain, saved)).toMatchObject({ valid: false, fault: { seq: 7 } });
  });
});
