import { describe, expect, it } from '@jest/globals';
import type { AuditEntry, AuditHead } from '@waymark/contracts';
import { headOf, newSigningKeys, publicKeyOf, resealFrom, sampleExport } from '../../test/sample-chain.ts';
import { verifyExport } from './verify-export.ts';

const { entries, head, keys, publicKey } = sampleExport(6);

async function* lines(...values: unknown[]) {
  for (const value of values) yield typeof value === 'string' ? value : JSON.stringify(value);
}

function verify(given: AuditEntry[], end: AuditHead | null, savedHead?: AuditHead) {
  return verifyExport(lines(...given, { head: end, public_key: publicKey }), { publicKey, savedHead });
}

const faultOf = async (...given: Parameters<typeof verify>) => (await verify(...given)).fault;
const edited = entries.with(2, { ...entries[2]!, action: 'decision.delete' });

describe('an export', () => {
  it('is valid as exported', async () => {
    expect(await verify(entries, head)).toEqual({
      valid: true,
      entries: 6,
      erased: 0,
      withheld: 0,
      segments: [],
      stopped: null,
      checkpoint: null,
      head,
      public_key: publicKey,
      fault: null,
    });
  });

  it('is valid when the workspace has no entries yet', async () => {
    expect(await verify([], null)).toMatchObject({ valid: true, entries: 0, head: null });
  });

  it('reveals an edited entry', async () => {
    expect(await faultOf(edited, head)).toEqual({ seq: 3, reason: 'the hash does not match the entry' });
  });

  it('reveals an entry deleted in the middle, at the beginning and at the end', async () => {
    expect(await faultOf(entries.toSpliced(2, 1), head)).toEqual({
      seq: 3,
      reason: expect.stringContaining('missing'),
    });
    expect(await faultOf(entries.slice(1), head)).toMatchObject({ seq: 1 });
    expect(await faultOf(entries.slice(0, -1), head)).toMatchObject({ seq: 6 });
    expect(await faultOf([], head)).toMatchObject({ seq: 1 });
  });

  it('reveals reordered and repeated entries', async () => {
    const [first, second] = entries as [AuditEntry, AuditEntry];
    expect(await faultOf([second, first], head)).toMatchObject({ seq: 1 });
    expect(await faultOf([first, first, second], head)).toMatchObject({ seq: 2 });
  });

  it('reveals hashes that were recomputed without the signing key, with the old or a matching head', async () => {
    const rewritten = resealFrom(edited, 3);
    expect(await faultOf(rewritten, head)).toEqual({ seq: 6, reason: 'the head names another hash' });
    const fitting = { ...head, hash: rewritten.at(-1)!.hash };
    expect(await faultOf(rewritten, fitting)).toEqual({
      seq: 6,
      reason: expect.stringContaining('signature'),
    });
  });

  it('reveals a head signed with another key, whatever public key the export names', async () => {
    const thief = newSigningKeys();
    const rewritten = resealFrom(edited, 3);
    const end = { head: headOf(rewritten, thief), public_key: publicKeyOf(thief) };
    expect(await verifyExport(lines(...rewritten, end), { publicKey })).toMatchObject({
      valid: false,
      fault: { seq: 6 },
    });
  });

  it('reveals a chain that claims to be another', async () => {
    const other = sampleExport(6, keys);
    expect(await faultOf([...entries.slice(0, 3), ...other.entries.slice(3)], head)).toMatchObject({
      seq: 4,
    });
    expect(await faultOf(other.entries, head)).toMatchObject({ seq: 6 });
    expect(await faultOf(other.entries, other.head, head)).toMatchObject({
      reason: expect.stringContaining('saved'),
    });
  });

  it('is valid after a key rotation when both keys are given', async () => {
    const newer = newSigningKeys();
    const end = { head: headOf(entries, newer), public_key: publicKeyOf(newer) };
    expect(await verifyExport(lines(...entries, end), { publicKey })).toMatchObject({ valid: false });
    const trusted = [publicKeyOf(newer), publicKey];
    expect(await verifyExport(lines(...entries, end), { publicKey: trusted })).toMatchObject({ valid: true });
  });
});

describe('an export against a saved head', () => {
  const saved = headOf(entries.slice(0, 4), keys);

  it('is valid when the chain continues after the head, or ends there', async () => {
    expect(await verify(entries, head, saved)).toMatchObject({ valid: true });
    expect(await verify(entries.slice(0, 4), saved, saved)).toMatchObject({ valid: true });
  });

  it('reveals a past that was rewritten with a stolen signing key', async () => {
    const rewritten = resealFrom(edited, 3);
    expect(await faultOf(rewritten, headOf(rewritten, keys))).toBeNull();
    expect(await faultOf(rewritten, headOf(rewritten, keys), saved)).toEqual({
      seq: 4,
      reason: expect.stringContaining('saved head'),
    });
  });

  it('reveals a chain that was truncated after an older signed head', async () => {
    const older = headOf(entries.slice(0, 2), keys);
    expect(await faultOf(entries.slice(0, 2), older)).toBeNull();
    expect(await faultOf(entries.slice(0, 2), older, saved)).toEqual({
      seq: 3,
      reason: expect.stringContaining('saved head'),
    });
    expect(await faultOf([], null, saved)).toMatchObject({ seq: 1 });
  });
});

describe('a damaged export', () => {
  const end = { head, public_key: publicKey };
  it.each([
    ['cut off before its last line', lines(...entries), 7],
    ['cut off within a line', lines(...entries, JSON.stringify(end).slice(0, 40)), 7],
    ['no JSON', lines(entries[0], '{"seq":', end), 2],
    ['going on behind its end', lines(...entries, end, entries[5]), 7],
    ['of lines that are no entries', lines(null, 1, 'x', end), 1],
    ['of a head that is none', lines(...entries, { ...end, head: { chain: head.chain } }), 6],
    ['empty', lines(), 1],
  ])('is not valid: %s', async (_, given, seq) => {
    expect(await verifyExport(given, { publicKey })).toMatchObject({ valid: false, fault: { seq } });
  });

  it('is refused with an invalid public key', async () => {
    await expect(verifyExport(lines(end), { publicKey: 'AAAA' })).rejects.toThrow();
  });
});
