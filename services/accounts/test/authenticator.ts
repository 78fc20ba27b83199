import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What the page and the authenticator contribute; a hostile one changes some of it. */
export interface Ceremony {
  origin?: string;
  rpId?: string;
  /** User present, user verified, backup eligible, backed up. */
  flags?: number;
  challenge?: string;
}

const AT = 0x40;
const PRESENT_AND_VERIFIED = 0x05;
const PRESENT = 0x01;
export const WITHOUT_VERIFICATION: Ceremony = { flags: PRESENT };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The parts of CBOR (RFC 8949) that an attestation has. */
export function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 256) return Buffer.from([(major << 5) | 24, length]);
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (!(value instanceof Map)) throw new Error('this value has no CBOR here');
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

/** A software authenticator (WebAuthn) with one credential, for the pages of `origin`. */
export function createAuthenticator(page: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const made = { privateKey, credentialId, counter: 0, userHandle: '' };

  const clientDataOf = (type: string, challenge: string, { origin = page.origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataOf = ({ rpId = page.rpId, flags = PRESENT_AND_VERIFIED }: Ceremony, attested?: Buffer) =>
    Buffer.concat([
      sha256(rpId),
      Buffer.from([flags | (attested ? AT : 0)]),
      uint32(made.counter),
      attested ?? Buffer.alloc(0),
    ]);

  return {
    made,

    /** Answers the options of a creation. */
    create(options: { challenge: string; user: { id: string } }, ceremony: Ceremony = {}) {
      made.userHandle = options.user.id;
      const clientData = clientDataOf('webauthn.create', ceremony.challenge ?? options.challenge, ceremony);
      const length = Buffer.from([made.credentialId.length >> 8, made.credentialId.length & 255]);
      const attested = Buffer.concat([Buffer.alloc(16), length, made.credentialId, cbor(coseOf(publicKey))]);
      const authData = dataOf(ceremony, attested);
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return { clientData: base64url(clientData), attestationObject: base64url(attestation), authData };
    },

    /** Answers the options of a sign-in. */
    get(options: { challenge: string }, ceremony: Ceremony = {}) {
      made.counter += 1;
      const clientData = clientDataOf('webauthn.get', ceremony.challenge ?? options.challenge, ceremony);
      const data = dataOf(ceremony);
      return {
        credentialId: base64url(made.credentialId),
        clientData: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(clientData)]), made.privateKey)),
        userHandle: made.userHandle,
      };
    },
  };
}

/** An ES256 key as COSE (RFC 9053). */
function coseOf(key: KeyObject): Map<number, unknown> {
  const { x, y } = key.export({ format: 'jwk' });
  return new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x!, 'base64url')],
    [-3, Buffer.from(y!, 'base64url')],
  ]);
}
