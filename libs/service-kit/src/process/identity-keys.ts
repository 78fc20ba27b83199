import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type ServiceName, services } from '@waymark/contracts';

/** The public keys of each service. */
export type IdentityPublicKeys = ReadonlyMap<string, readonly KeyObject[]>;

const itemsOf = (list: string) => list.split(',').map((item) => item.trim());

/** Returns the variable that holds a service's private keys where the keys of all services are together. */
export const identityPrivateKeysOf = (service: ServiceName) =>
  `${service.toUpperCase()}_IDENTITY_PRIVATE_KEYS`;

/** Generates an Ed25519 private key: PKCS8 in base64. */
export const generateSigningKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** Reads comma-separated Ed25519 private keys, PKCS8 in base64. Throws when one cannot be read. */
export function readIdentityPrivateKeys(list: string): KeyObject[] {
  return itemsOf(list).map((item) => {
    const key = Buffer.from(item, 'base64');
    return assertEd25519(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  });
}

/** Reads `service=key`, comma-separated; a service may have several keys. Throws for any other text. */
export function readIdentityPublicKeys(list: string): IdentityPublicKeys {
  const keys = new Map<string, KeyObject[]>();
  for (const item of itemsOf(list)) {
    const [, service = '', text = ''] = /^(\w+)=(.+)$/.exec(item) ?? [];
    if (!Object.hasOwn(services, service)) throw new Error('an unknown service');
    const key = Buffer.from(text, 'base64');
    const read = assertEd25519(createPublicKey({ key, format: 'der', type: 'spki' }));
    keys.set(service, [...(keys.get(service) ?? []), read]);
  }
  return keys;
}

/** Returns IDENTITY_PUBLIC_KEYS for an environment with the private keys of all services. */
export function identityPublicKeysOf(env: Record<string, string | undefined>): string {
  return (Object.keys(services) as ServiceName[])
    .flatMap((service) =>
      readIdentityPrivateKeys(String(env[identityPrivateKeysOf(service)])).map((privateKey) => {
        const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
        return `${service}=${spki.toString('base64')}`;
      }),
    )
    .join();
}

function assertEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
}
