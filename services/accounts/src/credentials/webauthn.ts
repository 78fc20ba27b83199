import { isIP } from 'node:net';
import type { PasskeyCreate, PasskeySignIn } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit/process';
import type { PasskeyRecord } from '../store/passkeys.ts';
import type { PasskeyChallenge, PasskeyChallenges } from './passkey-challenges.ts';

export type WebAuthn = NonNullable<ReturnType<typeof createWebAuthn>>;
type KeyOfPasskey = Pick<PasskeyRecord, 'credential_id' | 'public_key' | 'counter' | 'synced'>;

/** EdDSA, ES256 and RS256, which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];
const RELYING_PARTY = 'Waymark';

// Loaded with the first ceremony: it takes 15 MB, most of it to parse certificates.
async function load() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, decodeAttestationObject: helpers.decodeAttestationObject };
}

/** The id of a user as an authenticator keeps it, and returns it in base64url. */
const handleOf = (userId: string) => new Uint8Array(Buffer.from(userId));

/** Browsers allow passkeys at a name that they reached by TLS, and at localhost, not at an IP address. */
function allowsPasskeys({ protocol, hostname }: URL): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** WebAuthn for the pages at `publicUrl`; null where browsers allow none. */
export function createWebAuthn(publicUrl: string, log: Logger) {
  const url = new URL(publicUrl);
  if (!allowsPasskeys(url)) return null;
  const { hostname: rpID, origin } = url;
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };

  /**
   * Runs a check of the library, which throws for whatever it refuses. Returns null then, and for a challenge
   * that is not of `challenges`.
   */
  async function checked<T>(
    challenges: PasskeyChallenges,
    check: (
      library: Awaited<ReturnType<typeof load>>,
      isChallenge: (challenge: string) => Promise<boolean>,
    ) => Promise<T | null>,
  ): Promise<(T & { challenge: PasskeyChallenge }) | null> {
    const library = await load();
    let challenge: PasskeyChallenge | null = null;
    try {
      const found = await check(library, async (given) => {
        challenge = await challenges.verify(given);
        return challenge !== null;
      });
      return found && challenge && { ...found, challenge };
    } catch (error) {
      log.info({ reason: (error as Error).name }, 'passkey refused');
      return null;
    }
  }

  return {
    async creationOptions(
      { id, email, name }: { id: string; email: string; name: string },
      challenge: string,
      existing: readonly PasskeyRecord[],
    ) {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: RELYING_PARTY,
        rpID,
        userID: handleOf(id),
        userName: email,
        userDisplayName: name,
        challenge,
        excludeCredentials: existing.map(({ credential_id, transports }) => ({
          id: credential_id,
          transports,
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },

    async requestOptions(challenge: string) {
      const { generateAuthenticationOptions } = await load();
      return generateAuthenticationOptions({ rpID, challenge, userVerification: 'required' });
    },

    /** Returns the new credential with its challenge; null for an answer that does not verify. */
    verifyCreation: (challenges: PasskeyChallenges, input: PasskeyCreate) =>
      checked<KeyOfPasskey>(challenges, async (library, expectedChallenge) => {
        const attestation = library.decodeAttestationObject(
          new Uint8Array(Buffer.from(input.attestation_object, 'base64url')),
        );
        // No certificate is asked for, and its check would fetch lists from addresses that it names itself.
        const statement = attestation.get('attStmt');
        if (!['none', 'packed'].includes(attestation.get('fmt')) || statement.get('x5c')) return null;
        const { registrationInfo } = await library.verifyRegistrationResponse({
          ...expected,
          expectedChallenge,
          supportedAlgorithmIDs: ALGORITHMS,
          response: {
            // The library needs an id here and takes the real one from the attestation.
            ...{ id: 'unused', rawId: 'unused', type: 'public-key', clientExtensionResults: {} },
            response: { clientDataJSON: input.client_data, attestationObject: input.attestation_object },
          },
        });
        if (!registrationInfo) return null;
        const { credential, credentialBackedUp: synced } = registrationInfo;
        const public_key = Buffer.from(credential.publicKey).toString('base64url');
        return { credential_id: credential.id, public_key, counter: credential.counter, synced };
      }),

    /** Returns the new state of the passkey with the challenge; null for an answer that does not verify. */
    verifySignIn: (challenges: PasskeyChallenges, input: PasskeySignIn, passkey: PasskeyRecord) =>
      checked<Pick<KeyOfPasskey, 'counter' | 'synced'>>(challenges, async (library, expectedChallenge) => {
        const userHandle = Buffer.from(handleOf(passkey.user_id)).toString('base64url');
        if (input.user_handle !== userHandle) return null;
        const { credential_id: id, counter } = passkey;
        const publicKey = new Uint8Array(Buffer.from(passkey.public_key, 'base64url'));
        const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
          ...expected,
          expectedChallenge,
          credential: { id, publicKey, counter },
          response: {
            ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
            response: {
              clientDataJSON: input.client_data,
              authenticatorData: input.authenticator_data,
              signature: input.signature,
              userHandle,
            },
          },
        });
        if (!verified) return null;
        return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp };
      }),
  };
}
