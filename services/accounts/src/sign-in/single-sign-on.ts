import { ApiError, limits, newId, type SsoError } from '@waymark/contracts';
import { type RequestContext, toApiError } from '@waymark/service-kit/http';
import { isUnavailable, type Transaction } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import { randomSecret } from '../credentials/derived-secrets.ts';
import type { SignInFlow } from '../credentials/flows.ts';
import type { ProvenIdentity } from '../credentials/identity-provider.ts';
import { redeemInvitationByEmail } from '../invitations/redeem-invitation.ts';
import { type BrowserTokens, type Opening, openSession, type SignInCookies } from '../sessions/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { insertUser, userEvent } from '../users.ts';
import { firstWorkspaceName, preferredLanguage } from '../workspaces/first-workspace-name.ts';
import { insertWorkspace } from '../workspaces/workspaces.ts';

/** Where the browser goes next, with the tokens of a new session or the sealed state of the sign-in. */
export interface Redirect {
  location: string;
  tokens?: BrowserTokens;
  flow?: string;
}

/** Ends single sign-on with a reason that the sign-in page shows. */
class Refusal extends Error {
  readonly reason: SsoError;
  readonly flow: SignInFlow | undefined;

  constructor(reason: SsoError, flow?: SignInFlow) {
    super(reason);
    this.reason = reason;
    this.flow = flow;
  }
}

/**
 * Sends the browser to the identity provider, or to the sign-in page if the link was on another site: nobody
 * shall be signed in without wanting it (ASVS 5.0, 7.6.2). Browsers without TLS do not say where a link was.
 * Throws NOT_FOUND where no provider is configured.
 */
export async function startOidc(
  service: AccountsContext,
  { returnTo, site = 'same-origin' }: { returnTo: string | undefined; site: string | undefined },
): Promise<Redirect> {
  const { config, signInFlows, log } = service;
  const provider = providerOf(service);
  if (site !== 'same-origin')
    return { location: `${config.publicUrl}/sign-in?back=${encodeURIComponent(ownPath(returnTo))}` };
  const secrets = { state: randomSecret(), nonce: randomSecret(), code_verifier: randomSecret() };
  try {
    const url = await provider.authorizationUrl(secrets);
    const flow = await signInFlows.seal({ kind: 'provider', ...secrets, return_to: ownPath(returnTo) });
    return { location: url.href, flow };
  } catch (error) {
    log.warn({ err: error }, 'the identity provider does not answer');
    return refused(service, new Refusal('unavailable'));
  }
}

/** Signs in the user whom the provider's redirect names. Throws NOT_FOUND where none is configured. */
export async function finishOidc(
  service: AccountsContext,
  ctx: RequestContext,
  search: string,
  cookies: SignInCookies,
): Promise<Redirect> {
  const { config, signInFlows, log } = service;
  const provider = providerOf(service);
  const flow = await signInFlows.open(cookies.flow);
  if (flow?.kind !== 'provider') return refused(service, new Refusal('expired'));
  try {
    const identity = await provider.identify(search, flow);
    const tokens = await openSessionOf(service, ctx, identity, {
      secondFactor: identity.has_second_factor ? 'provider' : null,
      earlier: cookies.session,
    });
    return { location: `${config.publicUrl}${flow.return_to}`, tokens };
  } catch (error) {
    if (error instanceof Refusal) return refused(service, error);
    // An unavailable store is not the fault of the sign-in: the browser may try again.
    if (toApiError(error, isUnavailable).code === 'SERVICE_UNAVAILABLE') throw error;
    log.warn({ err: error, request_id: ctx.requestId }, 'single sign-on refused');
    return refused(service, new Refusal('refused'));
  }
}

/** Links the identity that waits for the user's password, in the transaction of that sign-in. */
export async function linkPendingIdentity(
  service: AccountsContext,
  tx: Transaction,
  user: UserRecord,
  sealedFlow: string | undefined,
): Promise<void> {
  const flow = await service.signInFlows.open(sealedFlow);
  if (flow?.kind !== 'link' || flow.user_id !== user.id) return;
  if (await service.store.identities.find(flow.issuer, flow.subject)) return;
  await insertIdentity(service, tx, user, flow);
  const event = userEvent(user, { id: user.id, issuer: flow.issuer });
  tx.emit('user.identity_linked', { ...event, action: 'user.identity_link' });
}

/** Returns the tokens of a new session of the user that the identity belongs to, who may be new. */
async function openSessionOf(
  service: AccountsContext,
  ctx: RequestContext,
  identity: ProvenIdentity,
  opening: Opening,
) {
  const { config, store, commit } = service;
  const known = await store.identities.find(identity.issuer, identity.subject);
  if (config.oidc!.emailDomains.length > 0) allowedEmail(service, identity);
  if (known) {
    return commit(ctx, async (tx) => {
      const user = await store.users.update(known.user_id, tx.session);
      if (!user) throw new Refusal('refused');
      tx.emit('user.signed_in', userEvent(user, { id: user.id }));
      return openSession(service, ctx, tx, user, opening);
    });
  }
  const email = allowedEmail(service, identity);
  const owner = await store.users.byEmail(email);
  // Nobody has verified the email of that account: an attacker could have created it and waited for the
  // email's owner. Only the account's password proves that both are the same person.
  if (owner) {
    const { issuer, subject } = identity;
    throw new Refusal('password', { kind: 'link', issuer, subject, user_id: owner.id });
  }
  return signUpWithIdentity(service, ctx, { identity, email, opening });
}

async function signUpWithIdentity(
  service: AccountsContext,
  ctx: RequestContext,
  { identity, email, opening }: { identity: ProvenIdentity; email: string; opening: Opening },
): Promise<BrowserTokens> {
  const { config, commit } = service;
  if (config.signUp === 'closed') throw new Refusal('closed');
  return commit(ctx, async (tx) => {
    // Names are shown to everyone in a workspace, addresses to its admins only.
    const name = (identity.name ?? email.slice(0, email.lastIndexOf('@')))
      .slice(0, limits.nameCharacters)
      .toWellFormed();
    const language = preferredLanguage(ctx.acceptLanguage);
    const input = { email, name, language, passwordHash: null };
    const user = await insertUser(service, tx, input, { action: 'user.sign_up' });
    await insertIdentity(service, tx, user, identity);
    const workspaceName = firstWorkspaceName(name, ctx.acceptLanguage);
    if (config.signUp === 'open') await insertWorkspace(service, tx, user, workspaceName);
    else if (!(await redeemInvitationByEmail(service, tx, user))) throw new Refusal('closed');
    return openSession(service, ctx, tx, user, opening);
  });
}

/** The identity's email. Refuses one that is not verified, or of a domain that may not sign in here. */
function allowedEmail({ config }: AccountsContext, { email }: ProvenIdentity): string {
  if (email === null) throw new Refusal('email');
  const { emailDomains } = config.oidc!;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (emailDomains.length > 0 && !emailDomains.includes(domain)) throw new Refusal('domain');
  return email;
}

async function insertIdentity(
  service: AccountsContext,
  tx: Transaction,
  { id: user_id }: UserRecord,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<void> {
  const identity = { id: newId(), user_id, issuer, subject, created_at: timestamp(service) };
  await service.store.identities.insert(identity, tx.session);
}

async function refused({ config, signInFlows }: AccountsContext, { reason, flow }: Refusal) {
  const location = `${config.publicUrl}/sign-in?sso_error=${reason}`;
  return flow ? { location, flow: await signInFlows.seal(flow) } : { location };
}

function providerOf({ identityProvider }: AccountsContext) {
  if (identityProvider) return identityProvider;
  throw new ApiError('NOT_FOUND', { message: 'This installation does not offer single sign-on.' });
}

/** A path on this site; anything that a browser could resolve to another site becomes the start page. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[^\\\s]*$/.test(path)) return '/';
  const url = new URL(path, 'http://here.invalid');
  return url.host === 'here.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/';
}
