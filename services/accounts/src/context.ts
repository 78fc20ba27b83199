import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { AccountsConfig } from './config.ts';
import { deviceCodes } from './credentials/device-codes.ts';
import { deviceCookies } from './credentials/device-cookies.ts';
import { registeredClient, signInFlow, totpEnrolment } from './credentials/flows.ts';
import { identityProvider } from './credentials/identity-provider.ts';
import { invitationTokens, linkTokens, unsubscribeTokens } from './credentials/link-tokens.ts';
import { mailLimits } from './credentials/mail-limits.ts';
import { passkeyChallenges } from './credentials/passkey-challenges.ts';
import { createPasswords } from './credentials/passwords.ts';
import { attemptLimiters, signInLimits, signUpLimit } from './credentials/sign-in-limits.ts';
import { sealedFlows } from './credentials/tokens.ts';
import { totpSecrets } from './credentials/totp-secrets.ts';
import { createWebAuthn } from './credentials/webauthn.ts';
import { openStore, SIGN_IN_ATTEMPTS } from './store/index.ts';

export type AccountsContext = ReturnType<typeof accountsContext>;

export function accountsContext(config: AccountsConfig, runtime: ServiceRuntime) {
  const { call, commit, database, log, now } = runtime;
  const limiter = attemptLimiters(database, SIGN_IN_ATTEMPTS);
  return {
    config,
    store: openStore(database),
    call,
    commit,
    now,
    log,
    passwords: createPasswords(),
    signInLimits: signInLimits(limiter, { privateKeys: config.identityPrivateKeys, log }),
    signUpLimit: signUpLimit(limiter, config.signUpsPerHour),
    mailLimits: mailLimits(limiter),
    invitationTokens: invitationTokens(config.identityPrivateKeys),
    resetTokens: linkTokens(config.identityPrivateKeys, 'password reset', now),
    emailTokens: linkTokens(config.identityPrivateKeys, 'email change', now),
    unsubscribeTokens: unsubscribeTokens(config.identityPrivateKeys),
    webauthn: createWebAuthn(config.publicUrl, log),
    creationChallenges: passkeyChallenges(config.identityPrivateKeys, 'passkey creation', now),
    signInChallenges: passkeyChallenges(config.identityPrivateKeys, 'passkey sign-in', now),
    totpSecrets: totpSecrets(config.identityPrivateKeys),
    totpEnrolments: sealedFlows(config.identityPrivateKeys, totpEnrolment, now),
    deviceCodes: deviceCodes(config.identityPrivateKeys),
    deviceCookies: deviceCookies(config.identityPrivateKeys, now),
    registeredClients: sealedFlows(config.identityPrivateKeys, registeredClient, now),
    fetchDocument: async (url: string) => (await call('fetchDocument', { body: { url } })).text,
    signInFlows: sealedFlows(config.identityPrivateKeys, signInFlow, now),
    identityProvider: config.oidc && identityProvider(config.oidc, config.publicUrl, now),
  };
}

/** Formats a time as it is stored and returned; the present time by default. */
export function timestamp({ now }: Pick<AccountsContext, 'now'>, timeMs = now()): string {
  return new Date(timeMs).toISOString();
}
