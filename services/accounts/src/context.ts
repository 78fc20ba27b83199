import type { Logger } from '@waymark/service-kit/process';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { Commit } from '@waymark/service-kit/store';
import type { AccountsConfig } from './config.ts';
import { type IdentityProvider, identityProvider } from './credentials/identity-provider.ts';
import { createPasswords, type Passwords } from './credentials/passwords.ts';
import { type SignInFlows, signInFlows } from './credentials/sign-in-flow.ts';
import { type SignInLimits, signInLimits } from './credentials/sign-in-limits.ts';
import { openStore, SIGN_IN_ATTEMPTS, type Store } from './store/index.ts';

/** The dependencies of the service's operations. */
export interface AccountsContext {
  config: AccountsConfig;
  store: Store;
  commit: Commit;
  now: () => number;
  log: Logger;
  passwords: Passwords;
  signInLimits: SignInLimits;
  signInFlows: SignInFlows;
  /** Null where single sign-on is not configured. */
  identityProvider: IdentityProvider | null;
}

export function accountsContext(config: AccountsConfig, runtime: ServiceRuntime): AccountsContext {
  const { commit, cursors, database, log, now } = runtime;
  return {
    config,
    store: openStore(database, cursors),
    commit,
    now,
    log,
    passwords: createPasswords(),
    signInLimits: signInLimits(database, SIGN_IN_ATTEMPTS),
    signInFlows: signInFlows(config.identitySecrets, now),
    identityProvider: config.oidc && identityProvider(config.oidc, config.publicUrl, now),
  };
}

/** Formats a time as it is stored and returned; the present time by default. */
export function timestamp({ now }: Pick<AccountsContext, 'now'>, timeMs = now()): string {
  return new Date(timeMs).toISOString();
}
