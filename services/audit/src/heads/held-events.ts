import { chainOf, type Draft, hashEntry } from '../chain/chain.ts';
import { detailsFault } from '../chain/check-chain.ts';
import { heldSignatureFault, type SigningKeys, signHeld } from '../chain/signing.ts';
import type { HeldRecord } from '../store/collections.ts';
import { entryOf, recordOf } from '../store/entry-record.ts';

const NOWHERE = { seq: 0, hash: '', prev_hash: '' };

/** A draft as it is stored while its chain is stopped. The signature covers the hash of its details. */
export function heldRecord(draft: Draft, keys: SigningKeys): HeldRecord {
  const { seq, hash, prev_hash, ...record } = recordOf({ ...draft, ...NOWHERE });
  return { ...record, ...signHeld(record.chain, hashOf(draft), keys) };
}

/** Returns the draft of a held event, or null if somebody has changed it. */
export function heldDraft({ key_id, signature, ...record }: HeldRecord, keys: SigningKeys): Draft | null {
  const { seq, hash, prev_hash, ...draft } = entryOf({ ...record, ...NOWHERE });
  try {
    const isOwn = chainOf(draft) === record.chain;
    const by = { key_id, signature };
    const isSigned = heldSignatureFault(record.chain, hashOf(draft), by, keys.publicKeys) === null;
    return isOwn && isSigned && detailsFault(draft, keys.publicKeys) === null ? draft : null;
  } catch {
    return null;
  }
}

const hashOf = (draft: Draft) => hashEntry({ ...draft, ...NOWHERE });
