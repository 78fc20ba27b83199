import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

/**
 * Encrypts in the format of age (https://age-encryption.org/v1) for recipients such as `age1…`.
 * @throws Error that names the recipient, if it is none.
 */
export async function encrypted(content: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new Error(`"${recipient}" is not a recipient of age: ${(error as Error).message}`);
    }
  }
  return readable(await encrypter.encrypt(webStream(content)));
}

/** Returns a decrypter for identities such as `AGE-SECRET-KEY-1…`. Throws without the text of a wrong one. */
export function decrypterOf(identities: readonly string[]): Decrypter {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    // The message of the library may have the identity.
    throw new Error('the identity file has a line that is no AGE-SECRET-KEY-1…: compare it');
  }
  return decrypter;
}

/** Throws when none of the identities fits. */
export const decrypted = async (content: Readable, identities: readonly string[]): Promise<Readable> =>
  readable(await decrypterOf(identities).decrypt(webStream(content)));

// The types of Node's web streams and of the standard ones differ in name only.
const webStream = (content: Readable) =>
  Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
const readable = (stream: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as unknown as ReadableStream);
