import {
  ApiError,
  delegatedIdentityHeader,
  internalHeaders,
  type Operation,
  type ServiceName,
} from '@waymark/contracts';
import { type IdentityTokens, openReplicas, type UpstreamFailure } from '@waymark/service-kit/http';
import { createAdmission } from '@waymark/service-kit/jobs';
import type { Runtime } from '@waymark/service-kit/runtime';
import type { CallerChecks } from '../auth/caller-checks.ts';
import { isStreamed, type Uploads } from '../bodies/uploads.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { holdPlace } from '../http/hold-place.ts';
import { type ClientPrincipal, type GatewayResponse, type Middleware, sendsBody } from '../request-state.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { sendComplete } from './send-complete.ts';
import { uploadStreamer } from './stream-upload.ts';
import { upstreamHeaders, upstreamUrl } from './upstream-request.ts';

export type ServiceProxy = ReturnType<typeof serviceProxy>;

/** The timeout of a trial request, so that its client does not wait long for a service that is still down. */
const TRIAL_TIMEOUT_MS = 2_000;
const IN_FLIGHT_MAX = 512;

/** Forwards a request to the service of its operation, with the signed identity of the caller. */
export function proxy(
  identity: Pick<IdentityTokens, 'sign'>,
  services: Partial<Record<ServiceName, ServiceProxy>>,
): Middleware {
  return async (_, response) => {
    const { operation, principal } = response.locals;
    const service = services[operation!.service];
    if (!service) throw new Error(`${operation!.id} has no service`);
    await service.forward(response, await identityHeaders(identity, principal!, operation!));
  };
}

/** The caller's identity for the service, and for other services that it calls in the caller's name. */
async function identityHeaders(
  identity: Pick<IdentityTokens, 'sign'>,
  caller: ClientPrincipal,
  { service, delegates = [] }: Operation,
): Promise<Record<string, string>> {
  const signed: Record<string, string> = { [internalHeaders.identity]: await identity.sign(caller, service) };
  for (const other of delegates) signed[delegatedIdentityHeader(other)] = await identity.sign(caller, other);
  return signed;
}

/** A proxy to the replicas of a service in `urls`, with its own connections, circuit and admission. */
export function serviceProxy(
  { ticks, log, tls, metrics: runtimeMetrics }: Runtime,
  options: {
    service: ServiceName;
    urls: string;
    timeoutMs: number;
    bodyTimeoutMs: number;
    signInCookies: Readonly<Record<string, string>>;
    checks: CallerChecks;
    uploads: Uploads;
    metrics: GatewayMetrics;
  },
) {
  const { service, timeoutMs, uploads, metrics, signInCookies, checks } = options;
  const replicas = openReplicas(service, options.urls, { tls, now: ticks });
  const breaker = circuitBreaker({ service, metrics, log, now: ticks });
  const streamer = uploadStreamer(options);
  const inFlight = createAdmission({
    ...runtimeMetrics.admission(`requests_to_${service}`),
    what: 'requests in flight',
    total: IN_FLIGHT_MAX,
  });
  const onFailure = ({ kind }: UpstreamFailure) => metrics.upstreamErrors.inc({ upstream: service, kind });

  /** Ends a read whose caller has lost the right to it. A change may have been made, and is answered. */
  function watchRead(response: GatewayResponse, end: (error: unknown) => void): void {
    if (response.locals.operation!.method !== 'GET') return;
    checks.watch(response, (error) => {
      // While rights cannot be looked up, a granted read goes on.
      if (error instanceof ApiError && error.status < 500) end(error);
    });
  }

  function forwardComplete(response: GatewayResponse, headers: ReturnType<typeof upstreamHeaders>) {
    const { operation, body } = response.locals;
    const { method } = operation!;
    const path = upstreamUrl(response.locals);
    return breaker.run((isTrial) => {
      const limitMs = isTrial ? Math.min(timeoutMs, TRIAL_TIMEOUT_MS) : timeoutMs;
      headers[internalHeaders.timeoutMs] = String(limitMs);
      const request = { path, method, headers, body, timeoutMs: limitMs };
      return replicas.tryEach(
        (replica) =>
          sendComplete(replica, request, response, {
            onDraining: () => replicas.avoid(replica),
            watch: (end) => watchRead(response, end),
            onAborted(err) {
              log.warn({ err, request_id: response.locals.requestId, upstream: service }, 'response aborted');
              metrics.upstreamErrors.inc({ upstream: service, kind: 'aborted' });
            },
          }),
        { mayRepeat: method === 'GET', onFailure },
      );
    });
  }

  /** Streams an upload. Its failures do not count in the circuit: the client may have caused them. */
  async function forwardUpload(response: GatewayResponse, headers: ReturnType<typeof upstreamHeaders>) {
    const { req: request } = response;
    breaker.check();
    headers[internalHeaders.timeoutMs] = String(timeoutMs);
    request.url = upstreamUrl(response.locals);
    // The gateway has sent "100 Continue". The credentials stay: the caller is checked again meanwhile.
    delete request.headers.expect;
    await replicas.tryEach((replica) => streamer.send(replica, response, { headers, timeoutMs }), {
      mayRepeat: false,
      onFailure,
    });
  }

  return {
    /** Resolves when the response has begun. Throws ApiError, ClientGone. `identities` are headers. */
    async forward(response: GatewayResponse, identities: Readonly<Record<string, string>>): Promise<void> {
      const isUpload = isStreamed(response.locals.operation!) && sendsBody(response.req);
      holdPlace(isUpload ? uploads.places : inFlight, response);
      const headers = upstreamHeaders(response, identities, signInCookies);
      await (isUpload ? forwardUpload : forwardComplete)(response, headers);
    },
    async close(): Promise<void> {
      streamer.close();
      await replicas.close();
    },
  };
}
