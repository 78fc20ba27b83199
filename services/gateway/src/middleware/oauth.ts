import {
  ApiError,
  ClientMetadata,
  DEVICE_CLIENT,
  DEVICE_GRANT,
  DeviceAuthorizationRequest,
  deviceEndpoint,
  type Operation,
  registrationEndpoint,
  scopes,
  TokenRequest,
  tokenEndpoint,
} from '@waymark/contracts';
import { type CallInternal, parseBody } from '@waymark/service-kit/http';
import { fromAccounts } from '../auth/authenticate.ts';
import type { BodyReceiver } from '../bodies/receive-body.ts';
import { sendJson } from '../http/respond.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { GatewayResponse, Middleware } from '../request-state.ts';

const FORM = 'application/x-www-form-urlencoded';
const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_GRANT];

/**
 * Serves the token endpoint, that of devices, and registration where the operator allows it. They take no
 * credentials: requests are charged to the address. Refusals have the form of RFC 6749, 7591 and 8628.
 */
export function serveOAuth(options: {
  call: CallInternal;
  rateLimit: RateLimit;
  receive: BodyReceiver;
  registration: boolean;
}): Middleware {
  const { call, rateLimit, receive, registration } = options;

  /** Returns the parameters of a form; null if the body is none, or repeats one. */
  async function formOf(response: GatewayResponse): Promise<Record<string, string> | null> {
    const form = new URLSearchParams(String((await receive(response)) ?? ''));
    const isForm = response.req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM;
    return isForm && new Set(form.keys()).size === form.size ? Object.fromEntries(form) : null;
  }

  async function exchange(response: GatewayResponse): Promise<void> {
    const form = await formOf(response);
    const grantType = form?.['grant_type'];
    if (grantType && !GRANT_TYPES.includes(grantType)) return refuse(response, 'unsupported_grant_type');
    const body = TokenRequest.safeParse(form);
    if (!body.success) return refuse(response, 'invalid_request');
    const { tokens, error } = await fromAccounts(call('exchangeToken', { body: body.data }));
    if (!tokens) return refuse(response, error ?? 'invalid_grant');
    sendJson(response, 200, JSON.stringify(tokens));
  }

  async function authorizeDevice(response: GatewayResponse): Promise<void> {
    const asked = DeviceAuthorizationRequest.safeParse(await formOf(response));
    if (!asked.success) return refuse(response, 'invalid_request');
    const { client_id, device_name } = asked.data;
    if (client_id !== DEVICE_CLIENT) return refuse(response, 'unauthorized_client');
    const wanted = asked.data.scope.split(' ');
    if (wanted.some((one) => !scopes.some((scope) => scope === one)))
      return refuse(response, 'invalid_scope');
    const body = {
      name: device_name,
      ip: response.locals.clientAddress,
      scopes: scopes.filter((scope) => wanted.includes(scope)),
    };
    sendJson(response, 200, JSON.stringify(await fromAccounts(call('startDeviceLogin', { body }))));
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

  const handlers = new Map<Operation, (response: GatewayResponse) => Promise<void>>([
    [tokenEndpoint, exchange],
    [deviceEndpoint, authorizeDevice],
    [registrationEndpoint, register],
  ]);

  return async (request, response, next) => {
    const { operation } = response.locals;
    const serve = operation && handlers.get(operation);
    if (!serve) return next();
    if (serve === register && !registration) throw new ApiError('NOT_FOUND');
    if (request.method !== operation.method) throw new ApiError('METHOD_NOT_ALLOWED', { allow: ['POST'] });
    response.locals.principal = { type: 'anonymous' };
    await rateLimit.address(response, operation.bucket);
    await serve(response);
  };
}

/** An error of RFC 6749, 5.2; its code says all, so that it helps nobody who guesses. */
const refuse = (response: GatewayResponse, error: string) =>
  sendJson(response, 400, JSON.stringify({ error }));
