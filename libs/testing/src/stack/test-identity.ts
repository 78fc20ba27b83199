import { createHash } from 'node:crypto';
import { type Principal, type ServiceName, services } from '@waymark/contracts';
import { type IdentityTokens, identityTokens } from '@waymark/service-kit/http';
import {
  identityPrivateKeysOf,
  identityPublicKeysOf,
  readIdentityPrivateKeys,
  readIdentityPublicKeys,
} from '@waymark/service-kit/process';

const names = Object.keys(services) as ServiceName[];
/** The DER of an Ed25519 private key, without its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (name: string) => {
  const seed = createHash('sha256').update(`the identity key of ${name} in tests`).digest();
  return Buffer.concat([PKCS8, seed]).toString('base64');
};

/** A key that every service may use: of a test with one service, which plays the others. */
const ANY = keyOf('any service');
const own = Object.fromEntries(names.map((name) => [identityPrivateKeysOf(name), keyOf(name)]));
const any = Object.fromEntries(names.map((name) => [identityPrivateKeysOf(name), ANY]));

/** Keys that sign identities in tests and nowhere else. */
export const identityEnvironment = {
  ...own,
  IDENTITY_PRIVATE_KEYS: ANY,
  IDENTITY_PUBLIC_KEYS: `${identityPublicKeysOf(own)},${identityPublicKeysOf(any)}`,
};

/** Signs as the gateway or as the principal's service; verifies as the audience. */
export function testIdentity(now: () => number = Date.now) {
  const privateKeys = readIdentityPrivateKeys(ANY);
  const publicKeys = readIdentityPublicKeys(identityEnvironment.IDENTITY_PUBLIC_KEYS);
  const known = new Map<ServiceName, IdentityTokens>();
  const tokensOf = (service: ServiceName) => {
    const tokens = known.get(service) ?? identityTokens({ service, privateKeys, publicKeys, now });
    known.set(service, tokens);
    return tokens;
  };
  return {
    sign(principal: Principal, audience: ServiceName) {
      const issuer = principal.type === 'service' ? (principal.service as ServiceName) : 'gateway';
      return tokensOf(issuer).sign(principal, audience);
    },
    verify: (token: string, audience: ServiceName) => tokensOf(audience).verify(token),
  };
}
