import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@waymark/contracts';
import fc from 'fast-check';
import { headOf, newSigningKeys, sealEvents } from '../../test/sample-chain.ts';
import { sampleEvent, sampleEvents } from '../../test/sample-event.ts';
import { chainOf, draftOf, GENESIS, hashEntry, sealEntries } from './chain.ts';
import { checkChain } from './check-chain.ts';
import { signErasure } from './signing.ts';

const keys = newSigningKeys();

function check(chain: string, entries: unknown[], head: unknown) {
  const checking = checkChain(chain, keys.publicKeys);
  for (const entry of entries) if (!checking.add(entry)) break;
  return checking.finish(head);
}

/** Returns the entry at which three entries are faulty when the second one is another; null for none. */
function faultWith(entries: AuditEntry[], second: unknown) {
  const head = headOf(entries, keys);
  return check(head.chain, [entries[0], second, entries[2]], head).fault?.seq ?? null;
}

/** Every path to a value within a JSON value, except to objects. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const actor = fc.record({
  type: fc.constantFrom('api_key' as const, 'session' as const),
  id: fc.uuid(),
  name: fc.option(fc.string()),
  key_prefix: fc.option(fc.string()),
});
const event = fc
  .record({
    actor,
    ip: fc.option(fc.ipV4()),
    user_agent: fc.option(fc.string({ unit: 'grapheme' })),
    via: fc.constantFrom(undefined, 'mcp'),
    changes: fc.option(
      fc.dictionary(fc.string(), fc.record({ before: fc.jsonValue(), after: fc.jsonValue() }), {
        maxKeys: 3,
      }),
    ),
  })
  .map((fields) => sampleEvent({ ...fields, workspace_id: '0190a8a5-0000-7000-8000-000000000001' }));
const chain = fc.array(event, { minLength: 1, maxLength: 6 }).map(sealEvents);

describe('a chain', () => {
  it('is valid as it was sealed, and after serialization as JSON', () => {
    fc.assert(
      fc.property(chain, (entries) => {
        const stored = JSON.parse(JSON.stringify(entries)) as AuditEntry[];
        const found = check(chainOf(entries[0]!), stored, headOf(entries, keys));
        expect(found).toEqual({ entries: entries.length, erased: 0, withheld: 0, fault: null });
      }),
    );
  });

  it('reveals an edit of any field of any entry', () => {
    const edit = fc.tuple(chain, fc.nat(), fc.nat(), fc.jsonValue());
    fc.assert(
      fc.property(edit, ([entries, whichEntry, whichField, by]) => {
        const at = whichEntry % entries.length;
        const stored = JSON.parse(JSON.stringify(entries)) as unknown[];
        const paths = leaves(stored[at]);
        const path = paths[whichField % paths.length]!;
        const edited = replaced(stored[at], path, by);
        fc.pre(JSON.stringify(edited) !== JSON.stringify(stored[at]));
        // -0 is 0 in JSON, so this is not an edit.
        fc.pre(!Object.is(by, -0));
        stored[at] = edited;
        expect(check(chainOf(entries[0]!), stored, headOf(entries, keys)).fault?.seq).toBe(at + 1);
      }),
      { numRuns: 500 },
    );
  });

  it('reveals an added or removed field', () => {
    const entries = sealEvents(sampleEvents(3));
    const { request_id, ...less } = entries[1]!;
    for (const other of [less, { ...entries[1], note: request_id }, { ...entries[1], via: 'mcp' }])
      expect(faultWith(entries, other)).toBe(2);
  });

  it('reveals that somebody removed through what a request came', () => {
    const entries = sealEvents(sampleEvents(3).map((one, i) => (i === 1 ? { ...one, via: 'mcp' } : one)));
    expect(faultWith(entries, entries[1])).toBeNull();
    const { via, ...less } = entries[1]!;
    expect([via, faultWith(entries, less)]).toEqual(['mcp', 2]);
  });

  it('is valid when the details of an entry are erased with their salt and a signed record, not otherwise', () => {
    const entries = sealEvents(sampleEvents(3));
    const head = headOf(entries, keys);
    const { actor, ...rest } = entries[1]!;
    const erasedActor = { ...actor, name: null, key_prefix: null };
    const gone = { changes: null, ip: null, user_agent: null, actor: erasedActor };
    const erasure = signErasure(rest.details_hash, '2026-11-21T10:00:00.000Z', keys);
    const erased = { ...rest, ...gone, details_salt: null, erasure };
    const expected = { entries: 3, erased: 1, withheld: 0, fault: null };
    expect(check(head.chain, [entries[0], erased, entries[2]], head)).toEqual(expected);
    for (const other of [
      { ip: '192.0.2.1' },
      { erasure: undefined },
      { erasure: signErasure(rest.hash, erasure.at, keys) },
      { erasure: { ...erasure, at: null } },
      { details_salt: rest.details_salt },
    ])
      expect(faultWith(entries, { ...erased, ...other })).toBe(2);
  });

  it('is valid with details withheld in an export, never in the database', () => {
    const entries = sealEvents(sampleEvents(3));
    const head = headOf(entries, keys);
    const withheld: AuditEntry['withheld'] = ['ip', 'user_agent', 'details_salt'];
    const partial = { ...entries[1]!, ip: null, user_agent: null, details_salt: null, withheld };
    function inExport(entry: AuditEntry) {
      const checking = checkChain(head.chain, keys.publicKeys);
      for (const each of entries.with(1, entry)) checking.add(each, 'export');
      return checking.finish(head);
    }
    expect(inExport(partial)).toEqual({ entries: 3, erased: 0, withheld: 1, fault: null });
    expect(check(head.chain, entries.with(1, partial), head).fault).toMatchObject({ seq: 2 });
    const erasure = signErasure(partial.details_hash, '2026-11-21T10:00:00.000Z', keys);
    for (const other of [
      { ...partial, withheld: undefined },
      { ...partial, action: 'decision.delete' },
      { ...partial, ip: '192.0.2.1' },
      { ...partial, details_salt: entries[1]!.details_salt },
      { ...partial, erasure },
    ])
      expect(inExport(other).fault).toMatchObject({ seq: 2 });
  });

  it('hashes equal details differently, so that erased details cannot be guessed from their hash', () => {
    const event = { ...sampleEvent(), action: 'decision.update' };
    expect(draftOf(event).details_hash).not.toBe(draftOf(event).details_hash);
  });

  it('belongs to the workspace, or to the user who acted outside any workspace', () => {
    const { workspace_id, actor } = sampleEvent();
    expect(chainOf({ workspace_id, actor })).toBe(workspace_id);
    expect(chainOf({ workspace_id: null, actor })).toBe(`user:${actor.id}`);
  });

  it('hashes what the documentation describes', () => {
    const event = {
      ...sampleEvent({
        id: '0190a8a5-0000-7000-8000-000000000002',
        time: '2026-11-21T10:00:00.000Z',
        workspace_id: '0190a8a5-0000-7000-8000-000000000001',
        actor: { type: 'session', id: 'u1', name: 'Ada', key_prefix: null },
        subject: { type: 'decision', id: 'd1', version: 1 },
        request_id: null,
        ip: null,
        user_agent: null,
        changes: null,
      }),
      action: 'decision.create',
    };
    const [entry] = sealEntries([draftOf(event, Buffer.alloc(16))], GENESIS);
    // Both computed with sha256sum from the text that the docstring of AuditEntry describes.
    expect(entry?.details_hash).toBe('70aef1f9d47d13636b9fa1a73559de4ac55c219a0c79337c81c4c76ebabeae6b');
    expect(entry?.hash).toBe('d910c244ecb6f6ceed33dd143f2b7dbdc89d8d3c2482ad3ce730669f728eaa22');
    expect(entry?.hash).toBe(hashEntry(entry!));
  });

  it('refuses text without a canonical form before it joins other entries', () => {
    const event = { ...sampleEvent({ request_id: '\ud800' }), action: 'decision.update' };
    expect(() => draftOf(event)).toThrow('surrogate');
    const entries = sealEvents(sampleEvents(1));
    const edited = { ...entries[0], action: '\ud800' };
    expect(check(chainOf(entries[0]!), [edited], headOf(entries, keys)).fault?.reason).toContain('malformed');
  });
});
