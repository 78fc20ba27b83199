import type { IncomingMessage } from 'node:http';
import { internalHeaders, isSecureUrl, sessionCookieName, signInFlowCookieName } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { FLOW_SECONDS } from './credentials/sign-in-flow.ts';
import { SESSION_SECONDS_MAX } from './sessions/sessions.ts';
import type { NewSession } from './sign-in/sign-in.ts';
import type { Redirect } from './sign-in/single-sign-on.ts';

const SET_COOKIE = 'Set-Cookie';

export function browserCookies(publicUrl: string) {
  // The browser keeps the cookie for as long as a session can last; the service ends the session earlier.
  const session = cookieHeader(sessionCookieName(publicUrl), publicUrl, SESSION_SECONDS_MAX);
  const flow = cookieHeader(signInFlowCookieName(publicUrl), publicUrl, FLOW_SECONDS);
  return {
    /** Puts the token of a new session into its cookie, and returns the rest as the response body. */
    withSession(ctx: RequestContext, { token, ...body }: NewSession) {
      ctx.setHeader(SET_COOKIE, session.set(token));
      return body;
    },
    clearSession: (ctx: RequestContext) => ctx.setHeader(SET_COOKIE, session.clear()),
    flowOf: ({ headers }: IncomingMessage) => headers[internalHeaders.signInFlow] as string | undefined,

    /** Redirects the browser. The flow cookie is removed unless the next step needs it. */
    redirect(ctx: RequestContext, next: Redirect): undefined {
      const cookies = [next.flow ? flow.set(next.flow) : flow.clear()];
      if (next.token !== undefined) cookies.push(session.set(next.token));
      ctx.setHeader(SET_COOKIE, cookies);
      ctx.setHeader('Location', next.location);
    },
  };
}

function cookieHeader(name: string, publicUrl: string, maxAgeSeconds: number) {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecureUrl(publicUrl) ? '; Secure' : ''}`;
  return {
    set: (token: string) => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
