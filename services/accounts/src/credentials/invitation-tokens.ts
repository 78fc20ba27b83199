import { createHmac, type KeyObject } from 'node:crypto';
import { hashSecret } from '@waymark/contracts';
import { derivedSecrets } from './derived-secrets.ts';

/** Derives the token of an invitation from its id, so that no mail that waits contains it. */
export function invitationTokens(privateKeys: readonly KeyObject[]) {
  const derivations = derivedSecrets(privateKeys, 'invitation').map(
    (key) => (id: string) => `wmi_${createHmac('sha256', key).update(id).digest('base64url')}`,
  );
  return {
    create: (id: string) => derivations[0]!(id),

    /** Returns null when the key that it was derived from is retired. */
    find: (id: string, hash: string) =>
      derivations.map((derive) => derive(id)).find((token) => hashSecret(token) === hash) ?? null,
  };
}
