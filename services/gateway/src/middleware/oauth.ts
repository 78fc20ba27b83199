import {
  ApiError,
  ClientMetadata,
  registrationEndpoint,
  TokenRequest,
  tokenEndpoint,
} from '@waymark/contracts';
import { type CallInternal, parseBody } from '@waymark/service-kit/http';
import { fromAccounts } from '../auth/authenticate.ts';
import type { BodyReceiver } from '../bodies/body-receiver.ts';
import { sendJson } from '../http/respond.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { GatewayResponse, Middleware } from '../request-state.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Serves the token endpoint, and registration where the operator allows it. Both take no credentials, so
 * that requests are charged to the address. Refusals have the form of RFC 6749 and RFC 7591.
 */
export function serveOAuth(options: {
  call: CallInternal;
  rateLimit: RateLimit;
  receive: BodyReceiver;
  registration: boolean;
}): Middleware {
  const { call, rateLimit, receive, registration } = options;

  async function exchange(response: GatewayResponse): Promise<void> {
    const form = new URLSearchParams(String((await receive(response)) ?? ''));
    const isForm = response.req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM;
    const isRepeated = new Set(form.keys()).size < form.size;
    const grantType = form.get('grant_type');
    if (isForm && grantType && !['authorization_code', 'refresh_token'].includes(grantType))
      return refuse(response, 'unsupported_grant_type');
    const body = TokenRequest.safeParse(Object.fromEntries(form));
    if (!isForm || isRepeated || !body.success) return refuse(response, 'invalid_request');
    const { tokens } = await fromAccounts(call('exchangeToken', { body: body.data }));
    if (!tokens) return refuse(response, 'invalid_grant');
    sendJson(response, 200, JSON.stringify(tokens));
  }

  async function register(response: GatewayResponse): Promise<void> {
    const given = parseBody(registrationEndpoint, (await receive(response)) ?? Buffer.alloc(0));
    const body = ClientMetadata.safeParse(given);
    if (!body.success) return refuse(response, 'invalid_client_metadata');
    const { client } = await fromAccounts(call('registerClient', { body: body.data }));
    if (!client) return refuse(response, 'invalid_redirect_uri');
    const grants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
    sendJson(response, 201, JSON.stringify({ ...client, ...grants }));
  }

  return async (request, response, next) => {
    const { operation } = response.locals;
    const isToken = operation === tokenEndpoint;
    if (!isToken && operation !== registrationEndpoint) return next();
    if (!isToken && !registration) throw new ApiError('NOT_FOUND');
    if (request.method !== operation.method) throw new ApiError('METHOD_NOT_ALLOWED', { allow: ['POST'] });
    response.locals.principal = { type: 'anonymous' };
    await rateLimit.address(response, operation.bucket);
    await (isToken ? exchange(response) : register(response));
  };
}

/** An error of RFC 6749, 5.2; its code says all, so that it helps nobody who guesses. */
const refuse = (response: GatewayResponse, error: string) =>
  sendJson(response, 400, JSON.stringify({ error }));
