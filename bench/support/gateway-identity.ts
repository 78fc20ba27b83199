import { identityTokens } from '@waymark/service-kit/http';
import {
  identityPrivateKeysOf,
  readIdentityPrivateKeys,
  readIdentityPublicKeys,
} from '@waymark/service-kit/process';
import type { Secrets } from '../../dev/secrets.ts';

/** Signs callers for the services, as the gateway of this installation does. */
export const gatewayIdentity = (secrets: Secrets) =>
  identityTokens({
    service: 'gateway',
    privateKeys: readIdentityPrivateKeys(secrets[identityPrivateKeysOf('gateway')]!),
    publicKeys: readIdentityPublicKeys(secrets['IDENTITY_PUBLIC_KEYS']!),
  });
