import type { Logger, Metrics } from '@waymark/service-kit/process';
import type { GatewayResponse, Middleware } from '../request-state.ts';

const PATH_CHARACTERS_MAX = 200;
const SECRET = /wm[kfi]_[\w-]*|whsec_[\w+/=-]*/g;

/**
 * Counts and logs a request, without its query, headers, keys and cookies, and ends its span, when its
 * response has ended.
 */
export function recordRequest({ metrics, log }: { metrics: Metrics; log: Logger }): Middleware {
  // Redaction would cost more than the line itself, and none of these fields holds a secret.
  const lines = log.child({}, { redact: [] });

  function record(response: GatewayResponse): void {
    const { operation, principal, startedAtMs, path, requestId, workspaceId, span } = response.locals;
    const seconds = (performance.now() - startedAtMs) / 1000;
    // If no headers have been sent, the client has disconnected.
    const status = response.headersSent ? response.statusCode : 'aborted';
    const sent = response.headersSent ? response.statusCode : undefined;
    span?.end({ attributes: { 'http.response.status_code': sent }, failed: Number(sent) >= 500 });
    metrics.requestSeconds.labels(operation?.id ?? 'unknown', String(status)).observe(seconds);
    if (!lines.isLevelEnabled('info')) return;
    lines.info(
      {
        method: response.req.method,
        operation: operation?.id,
        path: operation ? undefined : path.slice(0, PATH_CHARACTERS_MAX).replace(SECRET, '[secret]'),
        status,
        duration_ms: Math.round(seconds * 100_000) / 100,
        request_id: requestId,
        caller: principal?.type,
        key_prefix: principal?.type === 'api_key' ? principal.key_prefix : undefined,
        user_id: principal?.type === 'session' ? principal.user_id : undefined,
        workspace_id: principal?.type === 'api_key' ? principal.workspace_id : (workspaceId ?? undefined),
      },
      'request',
    );
  }

  return (_, response, next) => {
    response.on('close', () => record(response));
    next();
  };
}
