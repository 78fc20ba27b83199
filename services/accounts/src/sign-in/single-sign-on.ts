import { randomBytes } from 'node:crypto';
import { ApiError, limits, newId, type SsoError } from '@waymark/contracts';
import { type RequestContext, toApiError } from '@waymark/service-kit/http';
import type { Logger } from '@waymark/service-kit/process';
import { type Commit, isUnavailable, type Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import { identityProvider, type ProvenIdentity } from '../credentials/identity-provider.ts';
import type { SignInFlow, SignInFlows } from '../credentials/sign-in-flow.ts';
import { userEvent } from '../events.ts';
import type { Invitations } from '../members/invitations.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/index.ts';
import type { UserRecord } from '../store/users.ts';
import { userView } from '../views.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** Where the browser goes next, with the session that it has from now on and the flow that it is in. */
export interface NextStep {
  location: string;
  token?: string;
  flow?: string;
}

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

/** Why it ends here, for the sign-in page. */
class Refusal extends Error {
  readonly reason: SsoError;
  readonly flow: SignInFlow | undefined;

  constructor(reason: SsoError, flow?: SignInFlow) {
    super(reason);
    this.reason = reason;
    this.flow = flow;
  }
}

const RANDOM_BYTES = 32;

export function createSingleSignOn(options: {
  store: Store;
  commit: Commit;
  config: AccountsConfig;
  sessions: Sessions;
  workspaces: Workspaces;
  invitations: Invitations;
  flows: SignInFlows;
  now: () => number;
  log: Logger;
}) {
  const { store, commit, config, sessions, workspaces, invitations, flows, now, log } = options;
  const { oidc } = config;
  const base = config.publicUrl.replace(/\/$/, '');
  const callbackUrl = `${base}/v1/auth/oidc/callback`;
  const provider = oidc && identityProvider(oidc, callbackUrl, now);
  const random = () => randomBytes(RANDOM_BYTES).toString('base64url');
  const iso = () => new Date(now()).toISOString();
  const notOffered = () =>
    new ApiError('NOT_FOUND', { message: 'This installation offers no single sign-on.' });

  async function refused({ reason, flow }: Refusal): Promise<NextStep> {
    const location = `${base}/sign-in?sso_error=${reason}`;
    return flow ? { location, flow: await flows.seal(flow) } : { location };
  }

  async function link(
    tx: Transaction,
    user: UserRecord,
    { issuer, subject }: Omit<ProvenIdentity, 'email' | 'name'>,
  ) {
    await store.identities.insert(
      { id: newId(), user_id: user.id, issuer, subject, created_at: iso() },
      tx.session,
    );
  }

  /** The email, if it may be used here. */
  function admitted({ email }: ProvenIdentity): string {
    if (email === null) throw new Refusal('email');
    const domain = email.slice(email.lastIndexOf('@') + 1);
    if (oidc!.emailDomains.length > 0 && !oidc!.emailDomains.includes(domain)) throw new Refusal('domain');
    return email;
  }

  /** The token of a session of the user that the identity belongs to, who may be new. */
  async function enter(ctx: RequestContext, identity: ProvenIdentity): Promise<string> {
    const known = await store.identities.find(identity.issuer, identity.subject);
    if (oidc!.emailDomains.length > 0) admitted(identity);
    if (known) {
      return commit(ctx, async (tx) => {
        const user = await store.users.raise(known.user_id, tx.session);
        if (!user) throw new Refusal('refused');
        tx.emit('user.signed_in', userEvent(user, { id: user.id }));
        return sessions.open(ctx, tx, user);
      });
    }
    const email = admitted(identity);
    const owner = await store.users.byEmail(email);
    // Nobody has verified the email of that account: whoever made it could have been waiting for the email's owner. Its
    // password proves that both are one.
    if (owner) {
      const { issuer, subject } = identity;
      throw new Refusal('password', { kind: 'link', issuer, subject, user_id: owner.id });
    }
    return signUp(ctx, identity, email);
  }

  function signUp(ctx: RequestContext, identity: ProvenIdentity, email: string): Promise<string> {
    if (config.signUp === 'closed') throw new Refusal('closed');
    return commit(ctx, async (tx) => {
      const times = { created_at: iso(), updated_at: iso() };
      const name = (identity.name ?? email).slice(0, limits.nameCharacters).toWellFormed();
      const user: UserRecord = { id: newId(), email, name, password_hash: null, revision: 1, ...times };
      await store.users.insert(user, tx.session);
      await link(tx, user, identity);
      tx.emit('user.signed_up', { ...userEvent(user, userView(user)), action: 'user.sign_up' });
      if (config.signUp === 'open') await workspaces.establish(tx, user, `${name}'s workspace`);
      else if (!(await invitations.redeemByEmail(tx, user))) throw new Refusal('closed');
      return sessions.open(ctx, tx, user);
    });
  }

  return {
    /** Sends the browser to the provider. Throws NOT_FOUND where there is none. */
    async start(returnTo: string | undefined): Promise<NextStep> {
      if (!provider) throw notOffered();
      const secrets = { state: random(), nonce: random(), code_verifier: random() };
      try {
        const address = await provider.address(secrets);
        const flow = await flows.seal({ kind: 'provider', ...secrets, return_to: ownPath(returnTo) });
        return { location: address.href, flow };
      } catch (error) {
        log.warn({ err: error }, 'the identity provider does not answer');
        return refused(new Refusal('unavailable'));
      }
    },

    /** What the browser brings back from the provider, with the flow that it went with. */
    async finish(ctx: RequestContext, search: string, sealed: string | undefined): Promise<NextStep> {
      if (!provider) throw notOffered();
      const flow = await flows.open(sealed);
      if (flow?.kind !== 'provider') return refused(new Refusal('expired'));
      try {
        const identity = await provider.identify(new URL(`${callbackUrl}${search}`), flow);
        return { location: `${base}${flow.return_to}`, token: await enter(ctx, identity) };
      } catch (error) {
        if (error instanceof Refusal) return refused(error);
        // A store that is away is no fault of the sign-in.
        if (toApiError(error, isUnavailable).code === 'SERVICE_UNAVAILABLE') throw error;
        log.warn({ err: error, request_id: ctx.requestId }, 'single sign-on refused');
        return refused(new Refusal('refused'));
      }
    },

    /** In the transaction of a sign-in by password: links the identity that waits for it, if there is one. */
    async linkWaiting(tx: Transaction, user: UserRecord, sealed: string | undefined): Promise<boolean> {
      const flow = await flows.open(sealed);
      if (flow?.kind !== 'link' || flow.user_id !== user.id) return false;
      if (await store.identities.find(flow.issuer, flow.subject)) return false;
      await link(tx, user, flow);
      const event = userEvent(user, { id: user.id, issuer: flow.issuer });
      tx.emit('user.identity_linked', { ...event, action: 'user.identity_link' });
      return true;
    },
  };
}

/** A path of our own to go on to; whatever a browser could take for another site becomes the start page. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[^\\\s]*$/.test(path)) return '/';
  const url = new URL(path, 'http://here.invalid');
  return url.host === 'here.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/';
}
