import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, services } from '@waymark/contracts';
import { makeFolder } from '@waymark/service-kit/make-folder';
import {
  generateSigningKey,
  identityPrivateKeysOf,
  identityPublicKeysOf,
} from '@waymark/service-kit/process';
import { readJson } from './read-json.ts';

const identityVariables = (Object.keys(services) as ServiceName[]).map(identityPrivateKeysOf);

/**
 * The secrets of this installation, generated at the first start and readable only by the owner: the
 * variables, and `<SERVICE>_IDENTITY_PRIVATE_KEYS` of each service.
 */
export type Secrets = Record<string, string>;

function makeSecrets(): Secrets {
  return {
    ...Object.fromEntries(identityVariables.map((name) => [name, generateSigningKey()])),
    CURSOR_SECRETS: randomBytes(32).toString('base64url'),
    AUDIT_SIGNING_KEYS: generateSigningKey(),
    WEBHOOK_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
}

/** Returns the secrets in `directory` and generates missing ones. */
export async function readSecrets(directory: string): Promise<Secrets> {
  const file = join(directory, 'secrets.json');
  const known = await readJson<Secrets>(file, {});
  const secrets = { ...makeSecrets(), ...known };
  // Write even if only some are new: data encrypted with one must be readable after the next start.
  if (Object.keys(known).length < Object.keys(secrets).length) {
    await makeFolder(directory);
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return { ...secrets, IDENTITY_PUBLIC_KEYS: identityPublicKeysOf(secrets) };
}

/** Returns the secrets for one service: no private key of another service. */
export function secretsFor(service: ServiceName, secrets: Secrets): Secrets {
  const shared = Object.entries(secrets).filter(([name]) => !identityVariables.includes(name));
  const IDENTITY_PRIVATE_KEYS = secrets[identityPrivateKeysOf(service)]!;
  return { ...Object.fromEntries(shared), IDENTITY_PRIVATE_KEYS };
}
