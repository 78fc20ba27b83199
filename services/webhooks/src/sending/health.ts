import { serviceContext } from '@waymark/service-kit/store';
import type { WebhooksRuntime } from '../context.ts';
import { eventView, subjectOf } from '../endpoints/webhook-view.ts';
import type { EndpointKey, EndpointRecord } from '../store/index.ts';
import type { Verdict } from './judge-response.ts';

export type EndpointHealth = ReturnType<typeof endpointHealth>;

const DAY_MS = 86_400_000;

/**
 * Disables an endpoint that answers 410, or that has failed on each of `webhookFailingDays` days without a
 * success. Two failures far apart do not suffice: they say nothing about the days between them.
 */
export function endpointHealth(context: WebhooksRuntime & { onDisabled: (endpoint: EndpointKey) => void }) {
  const { commit, now, onDisabled, log } = context;
  const { endpoints } = context.store;
  const failingDays = context.config.webhookFailingDays;

  async function disable(endpoint: EndpointRecord, reason: 'gone' | 'failing'): Promise<void> {
    const ctx = serviceContext('webhooks', endpoint.workspace_id, 'webhook.disable');
    const disabled = await commit(ctx, async (tx) => {
      const after = await endpoints.disable(endpoint, reason, new Date(now()).toISOString(), tx.session);
      if (!after) return null;
      tx.emit('webhook.disabled', {
        subject: subjectOf(after),
        data: { webhook: eventView(after, now()), reason },
        changes: {
          enabled: { before: true, after: false },
          disabled_reason: { before: null, after: reason },
        },
      });
      return after;
    });
    if (!disabled) return;
    log.info({ webhook_id: endpoint.id, reason }, 'endpoint disabled');
    onDisabled(disabled);
  }

  /** Records another day with a failure. Tells of the second one: the endpoint may be disabled soon. */
  async function failOnDay(endpoint: EndpointRecord, since: string, day: number): Promise<void> {
    const { id, workspace_id, failing_days } = endpoint;
    Object.assign(endpoint, { failing_day: day, failing_days: failing_days + 1 });
    await commit(serviceContext('webhooks', workspace_id), async ({ session, emit }) => {
      const isNew = await endpoints.markFailingDay(id, since, day, session);
      if (!isNew || failing_days > 1) return;
      emit('webhook.failing', {
        subject: subjectOf(endpoint),
        data: { webhook: eventView(endpoint, now()) },
      });
    });
  }

  /** Changes the endpoint it gets, so that a day is recorded once. */
  return async (endpoint: EndpointRecord, verdict: Verdict, atMs: number): Promise<void> => {
    if (verdict === 'delivered') {
      if (endpoint.failing_since === null) return;
      endpoint.failing_since = null;
      return endpoints.markHealthy(endpoint.id);
    }
    if (verdict === 'gone') return disable(endpoint, 'gone');
    if (endpoint.failing_since === null) {
      const failing_since = new Date(atMs).toISOString();
      Object.assign(endpoint, { failing_since, failing_day: 0, failing_days: 1 });
      return endpoints.markFailing(endpoint.id, endpoint.url, failing_since);
    }
    const sinceMs = Date.parse(endpoint.failing_since);
    const day = Math.floor((atMs - sinceMs) / DAY_MS);
    if (day > endpoint.failing_day) await failOnDay(endpoint, endpoint.failing_since, day);
    const isOld = atMs - sinceMs >= failingDays * DAY_MS;
    if (isOld && endpoint.failing_days >= failingDays) return disable(endpoint, 'failing');
  };
}
