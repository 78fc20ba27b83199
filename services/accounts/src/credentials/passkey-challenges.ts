import { type KeyObject, randomUUID } from 'node:crypto';
import { limits } from '@waymark/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { derivedSecrets } from './derived-secrets.ts';

/** For whom a passkey is to be created. One for a sign-in names nobody. */
export interface ChallengeSubject {
  user_id: string;
  session_id: string;
  password_changed_at: string | null;
}

export interface PasskeyChallenge {
  /** The store keeps it after its use, so that it works once. */
  id: string;
  expires_at: Date;
  subject: ChallengeSubject | null;
}

export type PasskeyChallenges = ReturnType<typeof passkeyChallenges>;

const ALGORITHM = 'HS256';

/**
 * Signs the challenges of one ceremony, so that those that nobody answers are stored nowhere. Signs with a
 * secret of the first private key; those of all of them verify.
 */
export function passkeyChallenges(
  privateKeys: readonly KeyObject[],
  ceremony: 'passkey creation' | 'passkey sign-in',
  now: () => number,
) {
  const keys = derivedSecrets(privateKeys, ceremony);
  return {
    sign: (subject: ChallengeSubject | null) =>
      new SignJWT({ subject })
        .setProtectedHeader({ alg: ALGORITHM })
        .setJti(randomUUID())
        .setExpirationTime(Math.floor(now() / 1_000) + limits.passkeyChallengeSeconds)
        .sign(keys[0]!),

    /** Takes the challenge as the browser returns it. Null for one that this installation did not sign. */
    async verify(challenge: string): Promise<PasskeyChallenge | null> {
      const token = Buffer.from(challenge, 'base64url').toString();
      const options = {
        algorithms: [ALGORITHM],
        currentDate: new Date(now()),
        requiredClaims: ['jti', 'exp', 'subject'],
      };
      for (const key of keys) {
        const verified = await jwtVerify<{ subject: ChallengeSubject | null }>(token, key, options).catch(
          () => null,
        );
        if (!verified) continue;
        const { jti, exp, subject } = verified.payload;
        return { id: jti!, expires_at: new Date(exp! * 1_000), subject };
      }
      return null;
    },
  };
}
