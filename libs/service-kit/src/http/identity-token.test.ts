import { describe, expect, it } from '@jest/globals';
import { IDENTITY_TOKEN_SECONDS, identityTokens } from './identity-token.ts';

const SECRET = 'identity-secret-for-this-test-0123456789';
const transfer = { type: 'service', service: 'transfer' } as const;

describe('an identity token', () => {
  it('is reused within a second and is valid until it expires', async () => {
    let nowMs = 1_800_000_000_000;
    const sender = identityTokens([SECRET], () => nowMs);
    const receiver = identityTokens([SECRET], () => nowMs);
    const first = await sender.sign(transfer);
    nowMs += 999;
    expect(await sender.sign(transfer)).toBe(first);
    nowMs += 1;
    const second = await sender.sign(transfer);
    expect(second).not.toBe(first);
    nowMs += (IDENTITY_TOKEN_SECONDS - 2) * 1_000;
    expect(await receiver.verify(second)).toEqual(transfer);
    nowMs += 3_000;
    await expect(receiver.verify(second)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('of a sender whose clock is an hour behind is no fault of the caller', async () => {
    const nowMs = 1_800_000_000_000;
    const sender = identityTokens([SECRET], () => nowMs - 3_600_000);
    const receiver = identityTokens(['another-secret-0123456789-0123456789', SECRET], () => nowMs);
    await expect(receiver.verify(await sender.sign(transfer))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const forged = identityTokens(['a-forger-has-another-secret-0123456789'], () => nowMs - 3_600_000);
    await expect(receiver.verify(await forged.sign(transfer))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('differs for each caller', async () => {
    const { sign, verify } = identityTokens([SECRET], () => 1_800_000_000_000);
    const threads = { type: 'service', service: 'threads' } as const;
    const tokens = await Promise.all([sign(transfer), sign(threads)]);
    expect(await Promise.all(tokens.map(verify))).toEqual([transfer, threads]);
  });
});
