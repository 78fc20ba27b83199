import type { DeliveryAttempt } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import type { Logger, Tracing } from '@waymark/service-kit/process';
import { isFaultOfOne } from '@waymark/service-kit/store';
import type { SecretBox } from '../endpoints/secret-box.ts';
import { isRotating } from '../endpoints/webhook-view.ts';
import type { WebhookMetrics } from '../metrics.ts';
import type { AttemptResult, ClaimedDelivery, EndpointRecord, WebhookStore } from '../store/index.ts';
import type { EndpointHealth } from './health.ts';
import type { Post } from './post.ts';
import { retryWhile } from './retry-while.ts';
import {
  type AttemptAnswer,
  judge,
  mayAskToWait,
  parseRetryAfter,
  type RetrySchedule,
  retryDelayMs,
  type Verdict,
} from './schedule.ts';
import { type SigningSecrets, signedHeaders } from './signature.ts';

const RESULTS_PER_TRANSACTION = 100;
const USER_AGENT = 'Waymark-Webhooks/1';

/** Sends one claimed delivery and records the result; returns whether the endpoint answered. */
export function createAttempt(options: {
  store: WebhookStore;
  box: SecretBox;
  post: Post;
  health: EndpointHealth;
  schedule: RetrySchedule;
  headerPrefix: string;
  now: () => number;
  random: () => number;
  metrics: WebhookMetrics;
  tracing: Tracing;
  log: Logger;
}): (endpoint: EndpointRecord, claimed: ClaimedDelivery) => Promise<boolean> {
  const { store, box, post, health, headerPrefix, now, metrics, tracing, log } = options;
  const results = createBatcher<AttemptResult, boolean>({
    run: (items) => store.claims.record(items),
    maxSize: RESULTS_PER_TRANSACTION,
    retryApart: { when: isFaultOfOne },
  });

  function headersOf(endpoint: EndpointRecord, claimed: ClaimedDelivery, body: Buffer, atMs: number) {
    const signed = signedHeaders({
      prefix: headerPrefix,
      eventType: claimed.event_type,
      deliveryId: claimed.id,
      timestampSeconds: Math.floor(atMs / 1000),
      body,
      secrets: secretsOf(endpoint, box, now()),
    });
    return { ...signed, 'user-agent': USER_AGENT };
  }

  return async (endpoint, claimed) => {
    const body = Buffer.from(claimed.payload);
    const startedAtMs = now();
    const headers = headersOf(endpoint, claimed, body, startedAtMs);
    if (claimed.series === 1 && claimed.attempt === 0) {
      metrics.waitSeconds.observe(Math.max(0, startedAtMs - Date.parse(claimed.created_at)) / 1000);
    }
    const span = tracing.proceed('webhook attempt', {
      kind: 'client',
      parent: claimed.traceparent,
      attributes: spanAttributes(claimed),
    });
    const answer = await post(endpoint.url, headers, body);
    metrics.attemptSeconds.observe(answer.latencyMs / 1000);
    const verdict = judge(answer);
    span?.end({
      attributes: { 'http.response.status_code': answer.status ?? undefined, 'waymark.verdict': verdict },
      failed: verdict !== 'delivered',
    });
    const attempt = attemptOf(endpoint, claimed, headers, startedAtMs, answer);
    const result = resultOf(claimed, attempt, verdict, answer, options);
    await claimed.stored;
    // Without a recorded result the delivery is sent again, so this waits for an unavailable store while the
    // lease lasts.
    const isRecorded = await retryWhile(
      () => now() < claimed.leasedUntilMs,
      () => results.add(result),
    );
    metrics.attempts.inc({ result: isRecorded ? verdict : 'lost' });
    if (isRecorded) await health(endpoint, verdict, startedAtMs);
    else log.warn({ delivery_id: claimed.id }, 'an attempt was not counted: its lease had ended');
    return answer.status !== null;
  };
}

function secretsOf(endpoint: EndpointRecord, box: SecretBox, nowMs: number): SigningSecrets {
  const { id, secret, previous_secret } = endpoint;
  const previous = isRotating(endpoint, nowMs) ? previous_secret : null;
  return { current: box.decrypt(id, secret), previous: previous && box.decrypt(id, previous) };
}

const spanAttributes = (claimed: ClaimedDelivery) => ({
  'waymark.workspace_id': claimed.workspace_id,
  'waymark.webhook_id': claimed.webhook_id,
  'waymark.delivery_id': claimed.id,
  'waymark.event_type': claimed.event_type,
  'waymark.series': claimed.series,
  'waymark.attempt': claimed.attempt + 1,
});

function attemptOf(
  { url }: EndpointRecord,
  claimed: ClaimedDelivery,
  headers: Record<string, string>,
  startedAtMs: number,
  answer: AttemptAnswer,
): DeliveryAttempt {
  const sent = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    series: claimed.series,
    attempt: claimed.attempt + 1,
    started_at: new Date(startedAtMs).toISOString(),
    request: { method: 'POST', url, headers: sent },
    latency_ms: answer.latencyMs,
    status: answer.status,
    error: answer.error,
    response_headers: answer.headers,
    response_body: answer.body,
  };
}

function resultOf(
  claimed: ClaimedDelivery,
  attempt: DeliveryAttempt,
  verdict: Verdict,
  answer: AttemptAnswer,
  { schedule, now, random }: { schedule: RetrySchedule; now: () => number; random: () => number },
): AttemptResult {
  const nowMs = now();
  if (verdict === 'retry' && attempt.attempt < claimed.max_attempts) {
    const askedSeconds = mayAskToWait(answer.status) ? parseRetryAfter(answer.retryAfter, nowMs) : null;
    const delayMs = retryDelayMs(schedule, attempt.attempt, random(), askedSeconds);
    const next_attempt_at = new Date(nowMs + delayMs).toISOString();
    return { claimed, attempt, status: 'pending', next_attempt_at, finished_at: null };
  }
  const status = verdict === 'delivered' ? 'delivered' : 'failed';
  const finished_at = new Date(nowMs).toISOString();
  return { claimed, attempt, status, next_attempt_at: null, finished_at };
}
