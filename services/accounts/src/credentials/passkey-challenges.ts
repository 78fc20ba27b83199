import { type KeyObject, randomUUID } from 'node:crypto';
import { limits } from '@waymark/contracts';
import { z } from 'zod';
import { FlowOwner } from './flows.ts';
import { signedTokens } from './tokens.ts';

/** A challenge names whom a passkey is created for; one for a sign-in names nobody. */
const Challenge = z.object({ jti: z.string(), subject: FlowOwner.nullable() });

export interface PasskeyChallenge {
  /** The store keeps it after its use, so that it works once. */
  id: string;
  expires_at: Date;
  subject: FlowOwner | null;
}

export type PasskeyChallenges = ReturnType<typeof passkeyChallenges>;

/** Signs the challenges of one ceremony. */
export function passkeyChallenges(
  privateKeys: readonly KeyObject[],
  purpose: 'passkey creation' | 'passkey sign-in',
  now: () => number,
) {
  const kind = { purpose, schema: Challenge, seconds: limits.passkeyChallengeSeconds };
  const tokens = signedTokens(privateKeys, kind, now);
  return {
    sign: (subject: FlowOwner | null) => tokens.sign({ jti: randomUUID(), subject }),

    /** Takes the challenge as the browser returns it. Null for one that this installation did not sign. */
    async verify(challenge: string): Promise<PasskeyChallenge | null> {
      const found = await tokens.verify(Buffer.from(challenge, 'base64url').toString());
      return found && { id: found.jti, expires_at: new Date(found.exp * 1_000), subject: found.subject };
    },
  };
}
