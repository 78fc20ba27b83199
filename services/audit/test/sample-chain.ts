import { generateKeyPairSync } from 'node:crypto';
import type { AuditEntry, AuditHead, EventEnvelope } from '@waymark/contracts';
import { chainOf, draftOf, GENESIS, sealEntries } from '../src/chain/chain.ts';
import { readSigningKeys, type SigningKeys, signHead } from '../src/chain/signing.ts';
import { sampleEvents } from './sample-event.ts';

export function newSigningKeys(): SigningKeys {
  const { privateKey } = generateKeyPairSync('ed25519');
  return readSigningKeys(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
}

export function sealEvents(events: EventEnvelope[]): AuditEntry[] {
  return sealEntries(
    events.map((event) => draftOf({ ...event, action: event.action! })),
    GENESIS,
  );
}

export function headOf(entries: AuditEntry[], keys: SigningKeys): AuditHead {
  const { seq, hash } = entries.at(-1)!;
  return signHead({ chain: chainOf(entries[0]!), seq, hash }, keys);
}

/** Recomputes the rest of a chain after an edited entry, which needs no signing key. */
export function resealFrom(entries: AuditEntry[], seq: number): AuditEntry[] {
  const kept = entries.slice(0, seq - 1);
  return [...kept, ...sealEntries(entries.slice(seq - 1), kept.at(-1) ?? GENESIS)];
}

export function publicKeyOf(keys: SigningKeys): string {
  return keys.publicKeys.get(keys.keyId)!.text;
}

/** The lines of a complete export. */
export function sampleExport(count: number, keys = newSigningKeys()) {
  const entries = sealEvents(sampleEvents(count));
  return { keys, entries, head: headOf(entries, keys), publicKey: publicKeyOf(keys) };
}
