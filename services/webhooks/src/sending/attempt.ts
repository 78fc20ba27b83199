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
const RECORD_RETRY_MS = 200;
const USER_AGENT = 'Waymark-Webhooks/1';

type SentRequest = NonNullable<DeliveryAttempt['request']>;

function requestOf(url: string, headers: Record<string, string>): SentRequest {
  return {
    method: 'POST',
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

/** Sends one claimed delivery and records what came of it; says whether there was an answer. */
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
  const { store, box, post, health, schedule, headerPrefix, now, random, metrics, tracing, log } = options;
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  const recorder = createBatcher<AttemptResult, boolean>({
    run: (results) => store.claims.record(results),
    maxSize: RESULTS_PER_TRANSACTION,
    retryApart: { when: isFaultOfOne },
  });

  function secretsOf(endpoint: EndpointRecord): SigningSecrets {
    const { id, secret, previous_secret } = endpoint;
    const previous = isRotating(endpoint, now()) ? previous_secret : null;
    return { current: box.decrypt(id, secret), previous: previous && box.decrypt(id, previous) };
  }

  function resultOf(
    claimed: ClaimedDelivery,
    request: SentRequest,
    startedAtMs: number,
    answer: AttemptAnswer,
  ): [AttemptResult, Verdict] {
    const attempt: DeliveryAttempt = {
      series: claimed.series,
      attempt: claimed.attempt + 1,
      started_at: iso(startedAtMs),
      request,
      latency_ms: answer.latencyMs,
      status: answer.status,
      error: answer.error,
      response_headers: answer.headers,
      response_body: answer.body,
    };
    const verdict = judge(answer);
    if (verdict === 'retry' && attempt.attempt < claimed.max_attempts) {
      const askedSeconds = mayAskToWait(answer.status) ? parseRetryAfter(answer.retryAfter, now()) : null;
      const delayMs = retryDelayMs(schedule, attempt.attempt, random(), askedSeconds);
      const next_attempt_at = iso(now() + delayMs);
      return [{ claimed, attempt, status: 'pending', next_attempt_at, finished_at: null }, verdict];
    }
    const status = verdict === 'delivered' ? 'delivered' : 'failed';
    return [{ claimed, attempt, status, next_attempt_at: null, finished_at: iso(now()) }, verdict];
  }

  /** A store that is away is waited for, as long as the lease lasts: what is not recorded is sent again. */
  async function recordInLease(result: AttemptResult): Promise<boolean> {
    for (;;) {
      try {
        return await recorder.add(result);
      } catch (error) {
        if (now() >= result.claimed.leasedUntilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, RECORD_RETRY_MS));
      }
    }
  }

  return async (endpoint, claimed) => {
    const body = Buffer.from(claimed.payload);
    const startedAtMs = now();
    const signed = signedHeaders({
      prefix: headerPrefix,
      eventType: claimed.event_type,
      deliveryId: claimed.id,
      timestampSeconds: Math.floor(startedAtMs / 1000),
      body,
      secrets: secretsOf(endpoint),
    });
    if (claimed.series === 1 && claimed.attempt === 0) {
      metrics.waitSeconds.observe(Math.max(0, startedAtMs - Date.parse(claimed.created_at)) / 1000);
    }
    const span = tracing.proceed('webhook attempt', {
      kind: 'client',
      parent: claimed.traceparent,
      attributes: {
        'waymark.workspace_id': claimed.workspace_id,
        'waymark.webhook_id': claimed.webhook_id,
        'waymark.delivery_id': claimed.id,
        'waymark.event_type': claimed.event_type,
        'waymark.series': claimed.series,
        'waymark.attempt': claimed.attempt + 1,
      },
    });
    const headers = { ...signed, 'user-agent': USER_AGENT };
    const answer = await post(endpoint.url, headers, body);
    metrics.attemptSeconds.observe(answer.latencyMs / 1000);
    const [result, verdict] = resultOf(claimed, requestOf(endpoint.url, headers), startedAtMs, answer);
    span?.end({
      attributes: { 'http.response.status_code': answer.status ?? undefined, 'waymark.verdict': verdict },
      failed: verdict !== 'delivered',
    });
    await claimed.stored;
    const isRecorded = await recordInLease(result);
    metrics.attempts.inc({ result: isRecorded ? verdict : 'lost' });
    if (isRecorded) await health(endpoint, verdict, startedAtMs);
    else log.warn({ delivery_id: claimed.id }, 'attempt not counted: its lease had passed on');
    return answer.status !== null;
  };
}
