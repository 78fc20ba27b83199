import type { Logger, Metrics } from '@waymark/service-kit/process';
import type { Exchange } from './exchange.ts';

const PATH_CHARACTERS_MAX = 200;
/** What looks like one of our secrets, wherever a client has put it. */
const SECRET = /wm[kfi]_[\w-]*|whsec_[\w+/=-]*/g;

/** Counts and logs finished requests: never their query, headers, keys or cookies. */
export function requestLog(metrics: Metrics, log: Logger): (exchange: Exchange) => void {
  const histograms = new Map<string, { observe(seconds: number): void }>();
  // The fields are these and no others: redacting them once more would cost more than the line itself.
  const lines = log.child({}, { redact: [] });

  function histogramOf(operation: string, status: string) {
    const name = `${operation}/${status}`;
    const known = histograms.get(name);
    if (known) return known;
    const made = metrics.requestSeconds.labels(operation, status);
    histograms.set(name, made);
    return made;
  }

  return (exchange) => {
    const { request, response, operation, principal } = exchange;
    const seconds = (performance.now() - exchange.startedAtMs) / 1000;
    // Without headers sent the client has gone before it got an answer.
    const status = response.headersSent ? response.statusCode : 'aborted';
    histogramOf(operation?.id ?? 'unknown', String(status)).observe(seconds);
    if (!lines.isLevelEnabled('info')) return;
    lines.info(
      {
        method: request.method,
        operation: operation?.id,
        path: operation ? undefined : exchange.path.slice(0, PATH_CHARACTERS_MAX).replace(SECRET, '[secret]'),
        status,
        duration_ms: Math.round(seconds * 100_000) / 100,
        request_id: exchange.requestId,
        caller: principal?.type,
        key_prefix: principal?.type === 'api_key' ? principal.key_prefix : undefined,
        user_id: principal?.type === 'session' ? principal.user_id : undefined,
        workspace_id:
          principal?.type === 'api_key' ? principal.workspace_id : (exchange.workspaceId ?? undefined),
      },
      'request',
    );
  };
}
