import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import type { OidcConfig } from '../config.ts';

/** The identity of the person who signed in, as the provider states it. */
export interface ProvenIdentity {
  issuer: string;
  subject: string;
  /** In lower case; null unless the provider states that it is verified. */
  email: string | null;
  name: string | null;
  /** Whether the provider states that it asked for several factors (RFC 8176). */
  has_second_factor: boolean;
}

export interface FlowSecrets {
  state: string;
  nonce: string;
  code_verifier: string;
}

const TIMEOUT_SECONDS = 5;
const METADATA_TTL_MS = 3_600_000;
/** The errors of RFC 6749, 4.1.2.1, and OpenID Connect Core, 3.1.2.6, that can answer these requests. */
const STANDARD_ERRORS = new Set([
  ...['invalid_request', 'unauthorized_client', 'access_denied', 'unsupported_response_type'],
  ...['invalid_scope', 'server_error', 'temporarily_unavailable', 'interaction_required'],
  ...['login_required', 'account_selection_required', 'consent_required'],
]);

export function identityProvider(config: OidcConfig, publicUrl: string, now: () => number) {
  const issuer = new URL(config.issuer);
  const callbackUrl = `${publicUrl}/v1/auth/oidc/callback`;
  let cached: { metadata: Promise<Configuration>; atMs: number } | undefined;

  function discover(): Promise<Configuration> {
    if (cached && now() - cached.atMs < METADATA_TTL_MS) return cached.metadata;
    const options = {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Verifies the signatures of ID tokens, too, although they come over TLS.
        enableNonRepudiationChecks,
        // The configuration allows http for a loopback address only.
        ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    };
    const metadata = discovery(issuer, config.clientId, config.clientSecret, undefined, options);
    const entry = { metadata, atMs: now() };
    cached = entry;
    metadata.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return metadata;
  }

  return {
    /** Where the browser signs in. Throws when the provider does not answer. */
    async authorizationUrl({ state, nonce, code_verifier }: FlowSecrets) {
      return buildAuthorizationUrl(await discover(), {
        redirect_uri: callbackUrl,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      });
    },

    /** Reads the query of the provider's redirect. Throws unless it belongs to this flow and is unused. */
    async identify(search: string, { state, nonce, code_verifier }: FlowSecrets): Promise<ProvenIdentity> {
      const provider = await discover();
      const tokens = await authorizationCodeGrant(provider, new URL(`${callbackUrl}${search}`), {
        pkceCodeVerifier: code_verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }).catch(throwStandardError);
      const claims = tokens.claims()!;
      // Many providers put only the subject into the token.
      const isPartial =
        claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = isPartial ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
      const { email, email_verified: isVerified, name } = userInfo;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof email === 'string' && isVerified === true ? email.toLowerCase() : null,
        name: typeof name === 'string' && name.trim() !== '' ? name : null,
        has_second_factor: Array.isArray(claims['amr']) && claims['amr'].includes('mfa'),
      };
    },
  };
}

/** Throws without the parameters of the redirect: they come through the browser and must not reach a log. */
function throwStandardError(error: unknown): never {
  if (!(error instanceof AuthorizationResponseError)) throw error;
  const code = STANDARD_ERRORS.has(error.error) ? error.error : 'a non-standard error';
  throw new Error(`the provider returned ${code}`);
}
