import type { Logger, Metrics } from '@waymark/service-kit';
import type { Exchange } from './exchange.ts';

const PATH_CHARACTERS_MAX = 200;
/** What looks like one of our secrets, wherever a client has put it. */
const SECRET = /wmk_[\w-]*|whsec_[\w+/=-]*/g;

/** Counts and logs a finished request: never its query, headers, key or cookie. */
export function recordRequest(exchange: Exchange, metrics: Metrics, log: Logger): void {
  const { request, response, operation, principal } = exchange;
  const seconds = (performance.now() - exchange.startedAtMs) / 1000;
  // Without headers sent the client has gone before it got an answer.
  const status = response.headersSent ? response.statusCode : 'aborted';
  metrics.requestSeconds.labels(operation?.id ?? 'unknown', String(status)).observe(seconds);
  if (!log.isLevelEnabled('info')) return;
  log.info(
    {
      method: request.method,
      operation: operation?.id ?? null,
      ...(!operation && { path: exchange.path.slice(0, PATH_CHARACTERS_MAX).replace(SECRET, '[secret]') }),
      status,
      duration_ms: Math.round(seconds * 100_000) / 100,
      request_id: exchange.requestId,
      caller: principal?.type ?? null,
      ...callerOf(exchange),
    },
    'request',
  );
}

function callerOf({ principal, workspaceId }: Exchange) {
  if (principal?.type === 'api_key') {
    return { key_prefix: principal.key_prefix, workspace_id: principal.workspace_id };
  }
  if (principal?.type === 'session') return { user_id: principal.user_id, workspace_id: workspaceId };
  return {};
}
