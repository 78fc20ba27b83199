import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalid } from '@waymark/contracts';
import type { CallInternal, IdentityTokens, ResolveMembership } from '@waymark/service-kit/http';
import type { Logger, Metrics, Tracing } from '@waymark/service-kit/process';
import express, { type Request, type Response } from 'express';
import { type Authenticate, authenticate } from './auth/authenticate.ts';
import { authorize } from './auth/authorize.ts';
import { checkOrigin, type OriginPolicy } from './auth/origin.ts';
import { type BodyReceiver, receiveBody } from './bodies/receive-body.ts';
import { chargeLimits, type RateLimit } from './limits/rate-limit.ts';
import { innerClient } from './mcp/inner-client.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { compress } from './middleware/compress.ts';
import { matchOperation } from './middleware/match-operation.ts';
import { serveOAuth } from './middleware/oauth.ts';
import { type PageServer, pages } from './middleware/pages.ts';
import { type ProbeState, probes } from './middleware/probes.ts';
import { recordRequest } from './middleware/record-request.ts';
import { preflight, refuseUnmatched } from './middleware/refuse-unmatched.ts';
import { sendRefusal } from './middleware/send-refusal.ts';
import { validateRequest } from './middleware/validate-request.ts';
import { type OwnOperations, serveOwnOperations } from './own-operations.ts';
import { proxy, type ServiceProxy } from './proxy/service-proxy.ts';
import { type GatewayResponse, requestId } from './request-state.ts';

export interface AppOptions {
  commonHeaders: readonly string[];
  clientAddress: (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;
  isDraining: () => boolean;
  /** Returns the state for probes on the public port; null where it responds to none. */
  probed: (() => ProbeState) | null;
  tracing: Tracing;
  origins: OriginPolicy;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  resolveMembership: ResolveMembership;
  receive: BodyReceiver;
  identity: Pick<IdentityTokens, 'sign'>;
  own: OwnOperations;
  proxies: Record<string, ServiceProxy>;
  /** The documentation and the console. */
  pages: readonly PageServer[];
  mcpWrites: boolean;
  /** Whether programs may register themselves. */
  registration: boolean;
  call: CallInternal;
  publicUrl: string;
  metrics: Metrics;
  log: Logger;
}

/** The gateway: a chain of middlewares, in the order of the specification's checks. */
export function createApp(options: AppOptions) {
  const { origins, rateLimit, receive } = options;
  const refuse = sendRefusal(options);
  const app = express().disable('x-powered-by').disable('etag');

  const begin = requestId(options);

  /** Handles a request of the public port, or of a tool of the MCP server. */
  function handle(request: IncomingMessage, plain: ServerResponse): void {
    app(request as Request, plain as Response, (error: unknown) => {
      // Express has given the response its prototype and `locals`.
      const response = plain as GatewayResponse;
      // Express passes a URL that it cannot parse to no middleware.
      if (!response.locals.requestId) begin(request as never, response, () => undefined);
      refuse(error ?? invalid('url', 'is malformed'), response);
    });
  }

  // One route: with `use`, Express would compare the path again for each middleware.
  const chain = app.route(/.*/);
  chain.all(
    begin,
    ...(options.probed ? [probes(options.probed)] : []),
    recordRequest(options),
    matchOperation(origins, options.tracing),
    preflight(origins, rateLimit),
    compress,
    serveOAuth(options),
    serveMcp({ ...options, writes: options.mcpWrites, call: innerClient(handle) }),
    pages(rateLimit, options.pages),
    authenticate(options.authenticate),
    checkOrigin(origins),
    chargeLimits(rateLimit),
    refuseUnmatched(rateLimit),
    validateRequest,
    authorize(options.resolveMembership),
    serveOwnOperations(options.own),
    receiveBody(receive),
    proxy(options.identity, options.proxies),
  );
  return handle;
}
