import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { AuditCheckpoint, AuditErasure, AuditHead, AuditSegment } from '@waymark/contracts';

/** Public keys by their id; `text` is the SPKI in base64url, as the API returns it. */
export type PublicKeys = ReadonlyMap<string, { key: KeyObject; text: string }>;

export interface SigningKeys {
  keyId: string;
  privateKey: KeyObject;
  publicKeys: PublicKeys;
}

/**
 * Reads comma-separated Ed25519 keys, each as PEM or as base64 of PEM or DER: PKCS8, or SPKI for retired
 * keys. Throws when one cannot be read, or when the first, which signs, is not a private key.
 */
export function readSigningKeys(list: string): SigningKeys {
  const keys = list.split(',').map((text) => readKey(text.trim()));
  const privateKey = keys[0]!;
  if (privateKey.type !== 'private') throw new Error('the first key is not a private key');
  const publicKeys = publicKeysOf(keys);
  return { keyId: [...publicKeys.keys()][0]!, privateKey, publicKeys };
}

/** Replaces all keys but the first by their public keys, which sign nothing more. */
export function retireSigningKeys(list: string): string {
  const { keyId, publicKeys } = readSigningKeys(list);
  const [first] = list.split(',');
  const retired = [...publicKeys].filter(([id]) => id !== keyId);
  return [first!.trim(), ...retired.map(([, { text }]) => text)].join(',');
}

/** Counts the private keys of a list, even of one that `readSigningKeys` refuses. */
export function countPrivateKeys(list: string): number {
  return list.split(',').filter((text) => {
    try {
      return readKey(text.trim()).type === 'private';
    } catch {
      return false;
    }
  }).length;
}

/** Reads public keys given as SPKI in base64url or base64. Throws when one is not Ed25519. */
export const readPublicKeys = (texts: readonly string[]) => publicKeysOf(texts.map(readKey));

function readKey(text: string): KeyObject {
  const bytes = text.startsWith('-----') ? Buffer.from(text) : Buffer.from(text, 'base64');
  const key = bytes.includes('-----BEGIN') ? readPem(bytes.toString()) : readDer(bytes);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`the key is ${key.asymmetricKeyType}, not Ed25519`);
  return key;
}

function readPem(pem: string): KeyObject {
  return pem.includes('PRIVATE') ? createPrivateKey(pem) : createPublicKey(pem);
}

function readDer(key: Buffer): KeyObject {
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch {
    try {
      return createPublicKey({ key, format: 'der', type: 'spki' });
    } catch (cause) {
      throw new Error('a key is neither PEM nor base64url of its DER', { cause });
    }
  }
}

function publicKeysOf(keys: readonly KeyObject[]): PublicKeys {
  return new Map(
    keys.map((any) => {
      const key = any.type === 'private' ? createPublicKey(any) : any;
      const spki = key.export({ format: 'der', type: 'spki' });
      const keyId = createHash('sha256').update(spki).digest('hex').slice(0, 16);
      return [keyId, { key, text: spki.toString('base64url') }];
    }),
  );
}

export type Signature = Pick<AuditHead, 'key_id' | 'signature'>;
type UnsignedHead = Pick<AuditHead, 'chain' | 'seq' | 'hash'>;
type UnsignedCheckpoint = Omit<AuditCheckpoint, 'key_id' | 'signature'>;

const headBytes = ({ chain, seq, hash }: UnsignedHead) => Buffer.from(`${chain}\n${seq}\n${hash}`);

/** The signed bytes of a checkpoint differ from those of a head, so that neither passes for the other. */
const checkpointBytes = ({ chain, seq, hash, at }: UnsignedCheckpoint) =>
  Buffer.from(`checkpoint\n${chain}\n${seq}\n${hash}\n${at}`);

const SEGMENT_FIELDS = [
  ...(['chain', 'after_seq', 'after_hash', 'until_seq', 'known_seq', 'known_hash'] as const),
  ...(['reason', 'stopped_at', 'at'] as const),
];
type UnsignedSegment = Omit<AuditSegment, 'key_id' | 'signature'>;
/** The signed bytes of a segment, in which a null is an empty line. */
const segmentBytes = (segment: UnsignedSegment) =>
  Buffer.from(['segment', ...SEGMENT_FIELDS.map((field) => segment[field] ?? '')].join('\n'));

/** The signed bytes of an erasure. The salted details_hash names one entry, whether appended or held. */
const erasureBytes = (detailsHash: string, at: string) => Buffer.from(`erasure\n${detailsHash}\n${at}`);
const heldBytes = (chain: string, hash: string) => Buffer.from(`held\n${chain}\n${hash}`);

/** The end of the chain where a segment begins. */
export const segmentEnd = (segment: UnsignedSegment) => ({
  seq: segment.until_seq,
  hash: createHash('sha256').update(segmentBytes(segment)).digest('hex'),
});

function signed<T extends object>(unsigned: T, bytes: Buffer, { keyId, privateKey }: SigningKeys) {
  return { ...unsigned, key_id: keyId, signature: sign(null, bytes, privateKey).toString('base64url') };
}

export const signHead = (head: UnsignedHead, keys: SigningKeys): AuditHead =>
  signed(head, headBytes(head), keys);

export const signCheckpoint = (checkpoint: UnsignedCheckpoint, keys: SigningKeys): AuditCheckpoint =>
  signed(checkpoint, checkpointBytes(checkpoint), keys);

export const signSegment = (segment: UnsignedSegment, keys: SigningKeys): AuditSegment =>
  signed(segment, segmentBytes(segment), keys);

export const signErasure = (detailsHash: string, at: string, keys: SigningKeys): AuditErasure =>
  signed({ at }, erasureBytes(detailsHash, at), keys);

/** Signs an event that waits until its stopped chain is resumed, so that a change of it is noticed. */
export const signHeld = (chain: string, hash: string, keys: SigningKeys): Signature =>
  signed({}, heldBytes(chain, hash), keys);

/** Why a head's signature is not valid, or null. */
export const headSignatureFault = (head: AuditHead, publicKeys: PublicKeys) =>
  faultOf('head', head, headBytes(head), publicKeys);

export const checkpointSignatureFault = (checkpoint: AuditCheckpoint, publicKeys: PublicKeys) =>
  faultOf('checkpoint', checkpoint, checkpointBytes(checkpoint), publicKeys);

export const segmentSignatureFault = (segment: AuditSegment, publicKeys: PublicKeys) =>
  faultOf('segment', segment, segmentBytes(segment), publicKeys);

export const erasureSignatureFault = (detailsHash: string, erasure: AuditErasure, publicKeys: PublicKeys) =>
  faultOf('erasure', erasure, erasureBytes(detailsHash, erasure.at), publicKeys);

export const heldSignatureFault = (chain: string, hash: string, by: Signature, publicKeys: PublicKeys) =>
  faultOf('held event', by, heldBytes(chain, hash), publicKeys);

function faultOf(
  name: string,
  { key_id, signature }: Signature,
  bytes: Buffer,
  publicKeys: PublicKeys,
): string | null {
  const known = publicKeys.get(key_id);
  if (!known) return `the ${name} is signed with the key ${key_id}, which is not a trusted key`;
  const decoded = Buffer.from(signature, 'base64url');
  const isExact = decoded.toString('base64url') === signature;
  const isValid = isExact && verify(null, bytes, known.key, decoded);
  return isValid ? null : `the signature of the ${name} is not valid`;
}
