import { type DeliveryAttempt, signedWebhookHeaders } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { secondsSince } from '@waymark/service-kit/process';
import { isFaultOfOne } from '@waymark/service-kit/store';
import { createChatBody } from '../chat/chat-body.ts';
import type { WebhooksRuntime } from '../context.ts';
import { shownUrl } from '../endpoints/webhook-view.ts';
import type { AttemptResult, ClaimedDelivery, EndpointRecord } from '../store/index.ts';
import type { EndpointHealth } from './health.ts';
import { judge, mayAskToWait, parseRetryAfter, retryDelayMs, type Verdict } from './judge-response.ts';
import type { Post } from './post.ts';
import { retryWhile } from './retry-while.ts';

const RESULTS_PER_TRANSACTION = 100;
const USER_AGENT = 'Waymark-Webhooks/1';

/** Sends one claimed delivery and records the result; returns whether the endpoint answered. */
export function createAttempt(
  context: WebhooksRuntime & {
    post: Post;
    health: EndpointHealth;
    random: () => number;
    secretsOf: (endpoint: EndpointRecord) => string[] | null;
  },
): (endpoint: EndpointRecord, claimed: ClaimedDelivery) => Promise<boolean> {
  const { store, config, post, health, now, random, secretsOf, metrics, tracing, log } = context;
  const chatBody = createChatBody(context);
  const results = createBatcher<AttemptResult, boolean>({
    run: store.claims.record,
    maxSize: RESULTS_PER_TRANSACTION,
    isFaultOfOne,
  });

  function resultOf(
    claimed: ClaimedDelivery,
    attempt: DeliveryAttempt,
    verdict: Verdict,
    retryAfter: string | null,
  ): AttemptResult {
    const nowMs = now();
    if (verdict === 'retry' && attempt.attempt < claimed.max_attempts) {
      const askedSeconds = mayAskToWait(attempt.status) ? parseRetryAfter(retryAfter, nowMs) : null;
      const delayMs = retryDelayMs(config.webhookRetryDelaysSeconds, attempt.attempt, random(), askedSeconds);
      const next_attempt_at = new Date(nowMs + delayMs).toISOString();
      return { claimed, attempt, status: 'pending', next_attempt_at, finished_at: null };
    }
    const status = verdict === 'delivered' ? 'delivered' : 'failed';
    const finished_at = new Date(nowMs).toISOString();
    return { claimed, attempt, status, next_attempt_at: null, finished_at };
  }

  return async (endpoint, claimed) => {
    const { url, format } = endpoint;
    const sent = format === 'waymark' ? null : await chatBody(format, claimed);
    const body = Buffer.from(sent ?? claimed.payload);
    const startedAtMs = now();
    const signed = signedWebhookHeaders(claimed, body, {
      prefix: config.webhookHeaderPrefix,
      atMs: startedAtMs,
      secrets: secretsOf(endpoint)!,
    });
    const headers: Record<string, string> = { ...signed, 'user-agent': USER_AGENT };
    if (claimed.series === 1 && claimed.attempt === 0) {
      metrics.waitSeconds.observe(secondsSince(claimed.created_at, startedAtMs));
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
    const { retryAfter, ...response } = await post(url, headers, body);
    metrics.attemptSeconds.observe(response.latency_ms / 1000);
    const verdict = judge(response);
    span?.end({
      attributes: { 'http.response.status_code': response.status ?? undefined, 'waymark.verdict': verdict },
      failed: verdict !== 'delivered',
    });
    const sentHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
    const attempt: DeliveryAttempt = {
      series: claimed.series,
      attempt: claimed.attempt + 1,
      started_at: new Date(startedAtMs).toISOString(),
      request: { method: 'POST', url: shownUrl(endpoint), headers: sentHeaders },
      ...response,
    };
    const result = { ...resultOf(claimed, attempt, verdict, retryAfter), sent };
    await claimed.stored;
    // A delivery without a recorded result is sent again, so wait for the store while the lease lasts.
    const isRecorded = await retryWhile(
      () => now() < claimed.leasedUntilMs,
      () => results.add(result),
    );
    metrics.attempts.inc({ result: isRecorded ? verdict : 'lost' });
    if (isRecorded) await health(endpoint, verdict, startedAtMs);
    else log.warn({ delivery_id: claimed.id }, 'an attempt was not counted: its lease had ended');
    return response.status !== null;
  };
}
