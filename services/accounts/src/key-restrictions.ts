import { BlockList, isIP } from 'node:net';
import { ApiError, scopesInclude } from '@waymark/contracts';
import type { ApiKeyRecord } from './store/api-keys.ts';

/** Throws FORBIDDEN if a key is made by one that has fewer rights, or that ends before it. */
export function checkWithin(
  maker: ApiKeyRecord | null,
  made: Pick<ApiKeyRecord, 'scopes' | 'expires_at' | 'allowed_ips'>,
): void {
  if (maker === null) return;
  if (made.scopes.some((scope) => !scopesInclude(maker.scopes, scope)))
    throw stronger('has no more scopes than itself');
  if (maker.expires_at !== null && (made.expires_at === null || made.expires_at > maker.expires_at))
    throw stronger(`does not last longer than itself, until ${maker.expires_at}`);
  const isInside = made.allowed_ips.length > 0 && made.allowed_ips.every((block) => isCovered(block, maker));
  if (maker.allowed_ips.length > 0 && !isInside)
    throw stronger('may be used from no other addresses than itself');
}

/** Whether rights that a key gives would outlast it, or serve other addresses. */
export const isRestricted = ({ expires_at, allowed_ips }: ApiKeyRecord) =>
  expires_at !== null || allowed_ips.length > 0;

/** Throws FORBIDDEN for a key that is restricted. */
export function checkUnrestricted(maker: ApiKeyRecord | null): void {
  if (maker === null || !isRestricted(maker)) return;
  const message =
    'A key that expires or has a list of addresses may neither invite anybody nor raise a role; sign in.';
  throw new ApiError('FORBIDDEN', { reason: 'key_restrictions', message });
}

function stronger(how: string): ApiError {
  const message = `This API key may only make a key that ${how}.`;
  return new ApiError('FORBIDDEN', { reason: 'key_restrictions', message });
}

/** Whether an address or block is inside of one block of the key: a longer prefix with an address in it. */
function isCovered(block: string, { allowed_ips }: ApiKeyRecord): boolean {
  const [address = '', bits] = block.split('/');
  const length = Number(bits ?? (isIP(address) === 6 ? 128 : 32));
  return allowed_ips.some((own) => {
    const [network = '', ownBits] = own.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    const ownLength = Number(ownBits ?? (family === 'ipv6' ? 128 : 32));
    if (isIP(address) !== isIP(network) || length < ownLength) return false;
    const list = new BlockList();
    list.addSubnet(network, ownLength, family);
    return list.check(address, family);
  });
}
