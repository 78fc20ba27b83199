import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from './read-json.ts';

/** The secrets of this installation, generated at the first start and readable only by the owner. */
export interface Secrets {
  IDENTITY_SECRETS: string;
  AUDIT_SIGNING_KEYS: string;
  WEBHOOK_ENCRYPTION_KEYS: string;
}

function makeSecrets(): Secrets {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    IDENTITY_SECRETS: randomBytes(32).toString('base64url'),
    AUDIT_SIGNING_KEYS: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    WEBHOOK_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
}

/** Returns the secrets in `directory` and generates missing ones. */
export async function readSecrets(directory: string): Promise<Secrets> {
  const file = join(directory, 'secrets.json');
  const known = await readJson<Partial<Secrets>>(file, {});
  const secrets = { ...makeSecrets(), ...known };
  // Write even if only some are new: data encrypted with one must be readable after the next start.
  if (Object.keys(known).length < Object.keys(secrets).length) {
    await mkdir(directory, { recursive: true });
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return secrets;
}
