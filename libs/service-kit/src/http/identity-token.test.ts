import type { KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal, ServiceName } from '@waymark/contracts';
import { SignJWT } from 'jose';
import { identityOf, registered } from '../../test/identity-of.ts';
import { EnvironmentError } from '../process/environment.ts';
import { generateSigningKey, readIdentityPrivateKeys } from '../process/identity-keys.ts';
import { IDENTITY_TOKEN_SECONDS } from './identity-token.ts';

const START = 1_800_000_000_000;
const caller = { type: 'anonymous' } as const;
const asService = (service: string) => ({ type: 'service', service }) as const;
const privateKeys = {
  gateway: generateSigningKey(),
  decisions: generateSigningKey(),
  threads: generateSigningKey(),
};

let nowMs = START;
beforeEach(() => {
  nowMs = START;
});
const tokensOf = (service: keyof typeof privateKeys) =>
  identityOf(service, privateKeys[service], registered(privateKeys), () => nowMs);
const [gateway, decisions, threads] = [tokensOf('gateway'), tokensOf('decisions'), tokensOf('threads')];

/** Signs any claims with the key of a service, as an intruder in that service could. */
function forged(
  by: keyof typeof privateKeys,
  claims: { iss: string; principal: Principal; aud?: string; seconds?: number },
): Promise<string> {
  const { iss, principal, aud = 'threads', seconds = IDENTITY_TOKEN_SECONDS } = claims;
  const issuedAt = START / 1000;
  return new SignJWT({ principal, iss, aud, iat: issuedAt, exp: issuedAt + seconds })
    .setProtectedHeader({ alg: 'EdDSA' })
    .sign(readIdentityPrivateKeys(privateKeys[by])[0]!);
}

describe('an identity token', () => {
  it('is reused for half a minute, is verified once, and is valid until it expires', async () => {
    const first = await gateway.sign(caller, 'threads');
    nowMs += 29_999;
    expect(await gateway.sign({ ...caller }, 'threads')).toBe(first);
    nowMs += 1;
    const second = await gateway.sign(caller, 'threads');
    expect(second).not.toBe(first);
    nowMs += (IDENTITY_TOKEN_SECONDS - 1) * 1_000;
    const principal = await threads.verify(second);
    expect(principal).toEqual(caller);
    expect(await threads.verify(second)).toBe(principal);
    nowMs += 1_000;
    await expect(threads.verify(second)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('of a sender whose clock is an hour ahead is valid, one from the day after tomorrow is not', async () => {
    nowMs += 3_600_000;
    const early = await gateway.sign(caller, 'threads');
    nowMs += 47 * 3_600_000;
    const foreseen = await gateway.sign(caller, 'threads');
    nowMs = START;
    expect(await threads.verify(early)).toEqual(caller);
    await expect(threads.verify(foreseen)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('of a sender whose clock is an hour behind is no fault of the caller', async () => {
    const late = await gateway.sign(caller, 'threads');
    const impostor = await forged('decisions', { iss: 'gateway', principal: caller });
    nowMs += 3_600_000;
    await expect(threads.verify(late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(threads.verify(impostor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('names its caller: any with the gateway’s key, itself with the key of another service', async () => {
    expect(await threads.verify(await gateway.sign(asService('gateway'), 'threads'))).toEqual(
      asService('gateway'),
    );
    expect(await threads.verify(await decisions.sign(asService('decisions'), 'threads'))).toEqual(
      asService('decisions'),
    );
  });

  it('is for one service, even when another has verified it', async () => {
    const token = await gateway.sign(caller, 'decisions');
    expect(await decisions.verify(token)).toEqual(caller);
    await expect(threads.verify(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await gateway.sign(caller, 'threads')).not.toBe(token);
  });

  it.each<[string, Parameters<typeof forged>]>([
    ['that a service signs as the gateway', ['decisions', { iss: 'gateway', principal: caller }]],
    ['that a service signs for a caller', ['decisions', { iss: 'decisions', principal: caller }]],
    [
      'that a service signs for another service',
      ['decisions', { iss: 'decisions', principal: asService('transfer') }],
    ],
    [
      'that a service signs as another service',
      ['decisions', { iss: 'transfer', principal: asService('transfer') }],
    ],
    [
      'that the gateway signs for another service',
      ['gateway', { iss: 'gateway', principal: asService('transfer') }],
    ],
    ['of another audience', ['gateway', { iss: 'gateway', principal: caller, aud: 'decisions' }]],
    ['of an unknown issuer', ['gateway', { iss: 'waymark', principal: caller }]],
    ['that lives 61 seconds', ['gateway', { iss: 'gateway', principal: caller, seconds: 61 }]],
  ])('%s is refused', async (_, forgery) => {
    const valid = await forged('gateway', { iss: 'gateway', principal: caller });
    expect(await threads.verify(valid)).toEqual(caller);
    await expect(threads.verify(await forged(...forgery))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('signed with the public key as a shared secret is refused', async () => {
    const [publicKey] = registered(privateKeys).get('gateway') as KeyObject[];
    const token = await new SignJWT({ principal: caller })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('gateway')
      .setAudience('threads')
      .setIssuedAt(START / 1000)
      .setExpirationTime(START / 1000 + 60)
      .sign(publicKey!.export({ format: 'der', type: 'spki' }));
    await expect(threads.verify(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

it.each<ServiceName>(['threads', 'search'])('the key of another process stops %s at its start', (service) => {
  expect(() => identityOf(service, privateKeys.gateway, registered(privateKeys))).toThrow(EnvironmentError);
});
