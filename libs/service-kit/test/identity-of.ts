import { createPublicKey, type KeyObject } from 'node:crypto';
import type { ServiceName } from '@waymark/contracts';
import { identityTokens } from '../src/http/identity-token.ts';
import { type IdentityPublicKeys, readIdentityPrivateKeys } from '../src/process/identity-keys.ts';

/** Returns the public keys of private keys by service; tests only. */
export const registered = (privateKeys: Partial<Record<ServiceName, string>>): IdentityPublicKeys =>
  new Map(
    Object.entries(privateKeys).map(([service, list]): [string, KeyObject[]] => [
      service,
      readIdentityPrivateKeys(list).map((key) => createPublicKey(key)),
    ]),
  );

export const identityOf = (
  service: ServiceName,
  list: string,
  publicKeys: IdentityPublicKeys,
  now?: () => number,
) => identityTokens({ service, privateKeys: readIdentityPrivateKeys(list), publicKeys, ...(now && { now }) });
