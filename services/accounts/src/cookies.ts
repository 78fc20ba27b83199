import type { IncomingMessage } from 'node:http';
import {
  deviceCookieName,
  internalHeaders,
  isSecureUrl,
  sessionCookieName,
  signInFlowCookieName,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { DEVICE_SECONDS } from './credentials/device-cookies.ts';
import { FLOW_SECONDS } from './credentials/flows.ts';
import { type BrowserTokens, SESSION_SECONDS_MAX, type SignInCookies } from './sessions/sessions.ts';
import type { NewSession } from './sign-in/sign-in.ts';
import type { Redirect } from './sign-in/single-sign-on.ts';

const SET_COOKIE = 'Set-Cookie';

export function browserCookies(publicUrl: string) {
  // The browser keeps the cookie for as long as a session can last; the service ends the session earlier.
  const session = cookieHeader(sessionCookieName(publicUrl), publicUrl, SESSION_SECONDS_MAX);
  const flow = cookieHeader(signInFlowCookieName(publicUrl), publicUrl, FLOW_SECONDS);
  const device = cookieHeader(deviceCookieName(publicUrl), publicUrl, DEVICE_SECONDS);
  const signedIn = (tokens: BrowserTokens) => [session.set(tokens.session), device.set(tokens.device)];
  return {
    /** Puts the tokens of a new session into cookies, and returns the rest as the response body. */
    withSession(ctx: RequestContext, { tokens, ...body }: NewSession) {
      ctx.setHeader(SET_COOKIE, signedIn(tokens));
      return body;
    },
    clearSession: (ctx: RequestContext) => ctx.setHeader(SET_COOKIE, session.clear()),
    cookiesOf: ({ headers }: IncomingMessage): SignInCookies => ({
      flow: headers[internalHeaders.signInFlow] as string | undefined,
      device: headers[internalHeaders.device] as string | undefined,
      session: headers[internalHeaders.session] as string | undefined,
    }),
    deviceOf: ({ headers }: IncomingMessage) => headers[internalHeaders.device] as string | undefined,

    /** Redirects the browser. The flow cookie is removed unless the next step needs it. */
    redirect(ctx: RequestContext, next: Redirect): undefined {
      const cookies = [next.flow ? flow.set(next.flow) : flow.clear()];
      if (next.tokens) cookies.push(...signedIn(next.tokens));
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
