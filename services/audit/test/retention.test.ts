import { describe, expect, it } from '@jest/globals';
import { readSigningKeys, type SigningKeys, signCheckpoint } from '../src/chain/signing.ts';
import { applyRetention } from '../src/retention/apply-retention.ts';
import { type RetentionStore, retentionStore } from '../src/store/retention.ts';
import { auditStack, type Chain } from './audit-stack.ts';
import { newSigningKeys, resealFrom } from './sample-chain.ts';
import { sampleEvents } from './sample-event.ts';

const DAY_MS = 86_400_000;
const audit = await auditStack();
const { collection, get, verify, verifyOffline } = audit;
const keys = readSigningKeys(String(audit.one.env['AUDIT_SIGNING_KEYS']));
const store = retentionStore(audit.one.database);

/** A new chain with entries of 100 days ago, then of today. */
async function newChain(old = 4, recent = 3): Promise<Chain> {
  const time = new Date(Date.now() - 100 * DAY_MS).toISOString();
  const events = sampleEvents(old, { time });
  await audit.publish(events);
  await audit.arrived(events);
  const chain = { id: events[0]!.workspace_id!, events };
  if (recent > 0) await audit.extend(chain, recent, old + recent);
  return chain;
}

function apply(only: string, broken: Partial<RetentionStore> = {}) {
  async function* chains() {
    yield only;
  }
  return applyRetention({ ...store, ...broken, chains }, keys, { days: 90, nowMs: Date.now() });
}

describe('audit retention', () => {
  it('removes older entries; the rest verifies from a signed checkpoint, in the service and offline', async () => {
    const chain = await newChain();
    const { head: saved } = await verify(chain);
    expect(await apply(chain.id)).toEqual({ removed: 4, damaged: [] });
    const checkpoint = { chain: chain.id, seq: 4, signature: expect.any(String) };
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 3, checkpoint, fault: null });
    expect(await verifyOffline(chain, saved)).toMatchObject({ valid: true, entries: 3, checkpoint });
    expect((await get(chain, '/audit-log')).body.data.at(-1)).toMatchObject({ seq: 5 });
    expect(await apply(chain.id)).toEqual({ removed: 0, damaged: [] });
  });

  it('may remove all entries; the chain continues from there', async () => {
    const chain = await newChain(3, 0);
    expect(await apply(chain.id)).toMatchObject({ removed: 3 });
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 0, head: { seq: 3 } });
    await audit.extend(chain, 2, 2);
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 2, head: { seq: 5 } });
  });

  it('continues after an interruption, and hides the entries that are left to remove', async () => {
    const chain = await newChain();
    const killed = () => Promise.reject(new Error('killed'));
    await expect(apply(chain.id, { removeUpTo: killed })).rejects.toThrow('killed');
    expect(await collection('entries').countDocuments({ chain: chain.id })).toBe(7);
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 3 });
    expect((await get(chain, '/audit-log')).body.data).toHaveLength(3);
    await expect(apply(chain.id)).resolves.toEqual({ removed: 4, damaged: [] });
    expect(await collection('entries').countDocuments({ chain: chain.id })).toBe(3);
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 3 });
  });

  it('runs beside appends, verifications and itself', async () => {
    const chain = await newChain(300, 3);
    const more = audit.publish(sampleEvents(200, { workspace_id: chain.id }));
    const results = await Promise.all([apply(chain.id), apply(chain.id), verify(chain), verify(chain)]);
    expect(results.slice(0, 2).flatMap((found) => found.damaged)).toEqual([]);
    expect(results.slice(2)).toMatchObject([{ valid: true }, { valid: true }]);
    await more;
    await audit.arrived(chain.events, 203);
    await apply(chain.id);
    expect(await verify(chain)).toMatchObject({ valid: true, entries: 203, checkpoint: { seq: 300 } });
  });
});

const forgeries: [string, (chain: Chain) => Promise<unknown>][] = [
  ['a past cut without a checkpoint', (c) => collection('checkpoints').deleteOne({ _id: c.id })],
  ['more cut than the checkpoint says', (c) => collection('entries').deleteOne({ chain: c.id, seq: 5 })],
  ['a checkpoint moved on with its entries cut', (c) => moveOn(c, {})],
  ['a checkpoint signed with another key', async (c) => moveOn(c, { keys: newSigningKeys() })],
  ['a head passed off as a checkpoint', (c) => moveOn(c, { asHead: true })],
  ['a checkpoint of another chain', ofAnother],
  [
    'another time in the checkpoint',
    (c) => collection('checkpoints').updateOne({ _id: c.id }, { $set: { at: new Date(0).toISOString() } }),
  ],
  [
    'a malformed checkpoint',
    (c) => collection('checkpoints').updateOne({ _id: c.id }, { $unset: { hash: 1 } }),
  ],
];

async function moveOn(chain: Chain, { keys: others, asHead }: { keys?: SigningKeys; asHead?: boolean }) {
  const [entry] = await collection('entries').find({ chain: chain.id }).sort({ seq: -1 }).limit(1).toArray();
  const at = new Date().toISOString();
  const { seq, hash } = entry;
  const head = await collection('heads').findOne({ _id: chain.id });
  const signed = others && signCheckpoint({ chain: chain.id, seq, hash, at }, others);
  const $set = {
    seq,
    hash,
    ...(signed && { at, key_id: signed.key_id, signature: signed.signature }),
    ...(asHead && { key_id: head.key_id, signature: head.signature }),
  };
  await collection('checkpoints').updateOne({ _id: chain.id }, { $set });
  await collection('entries').deleteMany({ chain: chain.id });
}

async function ofAnother(chain: Chain) {
  const other = await newChain(4, 1);
  await apply(other.id);
  const { _id, ...rest } = await collection('checkpoints').findOne({ _id: other.id });
  await collection('checkpoints').replaceOne({ _id: chain.id }, rest);
}

describe('a forged beginning', () => {
  it.each(forgeries)('is found: %s', async (_, forge) => {
    const chain = await newChain();
    await apply(chain.id);
    await forge(chain);
    const fault = { reason: expect.stringMatching(/.{10}/) };
    expect(await verify(chain)).toMatchObject({ valid: false, fault });
    expect(await verifyOffline(chain)).toMatchObject({ valid: false, fault });
  });

  it('is not signed by retention: entries with forged old dates and recomputed hashes', async () => {
    const chain = await newChain(1, 5);
    const entries = await audit.entries(chain);
    const old = entries[0]!.created_at;
    const forged = resealFrom(
      entries.map((entry) => ({ ...entry, created_at: old })),
      1,
    );
    for (const { id, created_at, hash, prev_hash } of forged) {
      await collection('entries').updateOne({ _id: id }, { $set: { created_at, hash, prev_hash } });
    }
    expect(await apply(chain.id)).toMatchObject({ removed: 0, damaged: [{ chain: chain.id }] });
    expect(await collection('entries').countDocuments({ chain: chain.id })).toBe(6);
    expect(await collection('checkpoints').findOne({ _id: chain.id })).toBeNull();
  });
});
