import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
} from 'openid-client';
import type { OidcConfig } from '../config.ts';

/** What the provider says of who signed in. */
export interface ProvenIdentity {
  issuer: string;
  subject: string;
  /** Lower-cased; null unless the provider says that it has verified it. */
  email: string | null;
  name: string | null;
}

export interface IdentityProvider {
  /** Throws when the provider does not answer. */
  address(flow: { state: string; nonce: string; code_verifier: string }): Promise<URL>;
  /** Throws unless the answer in `url` is this provider's to this flow, with a code that nobody has used. */
  identify(url: URL, flow: { state: string; nonce: string; code_verifier: string }): Promise<ProvenIdentity>;
}

const TIMEOUT_SECONDS = 5;
/** What the provider says of itself is asked for again after this long. */
const DISCOVERED_MS = 3_600_000;
/** RFC 6749, 4.1.2.1, and OpenID Connect Core, 3.1.2.6: as far as they answer what is asked here. */
const STANDARD_ERRORS = new Set([
  ...[
    'invalid_request',
    'unauthorized_client',
    'access_denied',
    'unsupported_response_type',
    'invalid_scope',
  ],
  ...['server_error', 'temporarily_unavailable', 'interaction_required', 'login_required'],
  ...['account_selection_required', 'consent_required'],
]);

export function identityProvider(
  config: OidcConfig,
  callbackUrl: string,
  now: () => number,
): IdentityProvider {
  const issuer = new URL(config.issuer);
  let known: { found: Promise<Configuration>; atMs: number } | undefined;

  function discover(): Promise<Configuration> {
    if (known && now() - known.atMs < DISCOVERED_MS) return known.found;
    const options = {
      timeout: TIMEOUT_SECONDS,
      // The environment has admitted http for a loopback address only.
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    };
    const found = discovery(issuer, config.clientId, config.clientSecret, undefined, options);
    const mine = { found, atMs: now() };
    known = mine;
    found.catch(() => {
      if (known === mine) known = undefined;
    });
    return found;
  }

  return {
    async address({ state, nonce, code_verifier }) {
      return buildAuthorizationUrl(await discover(), {
        redirect_uri: callbackUrl,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      });
    },

    async identify(url, { state, nonce, code_verifier }) {
      const provider = await discover();
      const tokens = await authorizationCodeGrant(provider, url, {
        pkceCodeVerifier: code_verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }).catch(throwNamed);
      const claims = tokens.claims()!;
      // Many providers put no more than the subject into the token.
      const more = claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
      const said = more ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
      const { email, email_verified: isVerified, name } = said;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof email === 'string' && isVerified === true ? email.toLowerCase() : null,
        name: typeof name === 'string' && name.trim() !== '' ? name : null,
      };
    },
  };
}

/** The parameters of the answer come through the browser, which may put anything there: none of it may get into a log. */
function throwNamed(error: unknown): never {
  if (!(error instanceof AuthorizationResponseError)) throw error;
  const code = STANDARD_ERRORS.has(error.error) ? error.error : 'an error that no standard knows';
  throw new Error(`the provider answers ${code}`);
}
