import { limits, type WebhookHour } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type AttemptResult, DELIVERIES } from './delivery-record.ts';

/** Attempts to an endpoint in an hour. Like the counters, several documents that add up. */
interface HourDocument {
  _id: string;
  workspace_id: string;
  attempts_succeeded?: number;
  attempts_failed?: number;
  latency_sum_ms: number;
  latency_max_ms: number;
  /** How many attempts took so long, by latency step. */
  latencies: Record<string, number>;
  expires_at: Date;
}

const HOUR_MS = 3_600_000;
/** Each latency step is 2^(1/8) times the one before, so a percentile is at most a tenth too high. */
const STEPS_PER_DOUBLING = 8;

const stepOf = (latencyMs: number) => Math.ceil(Math.log2(Math.max(1, latencyMs)) * STEPS_PER_DOUBLING);
const upperBoundMs = (step: number) => Math.round(2 ** (step / STEPS_PER_DOUBLING));
const hourAt = (timeMs: number) => new Date(Math.floor(timeMs / HOUR_MS) * HOUR_MS).toISOString();
const prefixOf = (webhookId: string) => `history/${webhookId}/`;

/**
 * Returns the writes that add attempts to their hours, one for each endpoint and hour. They belong into the
 * command that writes the attempts, with the slot of its counters: transactions that do not conflict there do
 * not conflict here.
 */
export function historyWrites(results: AttemptResult[], slot: number): AnyBulkWriteOperation<HourDocument>[] {
  const hours = new Map<
    string,
    { workspace_id: string; expires_at: Date; inc: Record<string, number>; max: number }
  >();
  for (const { claimed, attempt, status } of results) {
    const hour = hourAt(Date.parse(attempt.started_at));
    const id = `${prefixOf(claimed.webhook_id)}${hour}/${slot}`;
    const expires_at = new Date(Date.parse(hour) + limits.webhookHistoryHours * HOUR_MS);
    const added = hours.get(id) ?? { workspace_id: claimed.workspace_id, expires_at, inc: {}, max: 0 };
    const outcome = status === 'delivered' ? 'attempts_succeeded' : 'attempts_failed';
    const latency = `latencies.${stepOf(attempt.latency_ms)}`;
    added.inc[outcome] = (added.inc[outcome] ?? 0) + 1;
    added.inc[latency] = (added.inc[latency] ?? 0) + 1;
    added.inc['latency_sum_ms'] = (added.inc['latency_sum_ms'] ?? 0) + attempt.latency_ms;
    added.max = Math.max(added.max, attempt.latency_ms);
    hours.set(id, added);
  }
  return [...hours].map(([id, { workspace_id, expires_at, inc, max }]) => ({
    updateOne: {
      filter: { _id: id, workspace_id },
      update: { $inc: inc, $max: { latency_max_ms: max }, $setOnInsert: { expires_at } },
      upsert: true,
    },
  })) as AnyBulkWriteOperation<HourDocument>[];
}

/** The outcomes and latencies of attempts, by endpoint and hour. */
export function historyStore(database: Database) {
  const hours: Collection<HourDocument> = database.collection(DELIVERIES);

  return {
    /** Returns the hours that had attempts, up to the present one, oldest first. */
    async read(webhookId: string, nowMs: number): Promise<WebhookHour[]> {
      const prefix = prefixOf(webhookId);
      const from = hourAt(nowMs - (limits.webhookHistoryHours - 1) * HOUR_MS);
      const end = `${prefix.slice(0, -1)}0`;
      const parts = new Map<string, HourDocument[]>();
      for await (const document of hours.find({ _id: { $gte: `${prefix}${from}`, $lt: end } })) {
        const hour = document._id.slice(prefix.length, document._id.lastIndexOf('/'));
        const found = parts.get(hour) ?? [];
        found.push(document);
        parts.set(hour, found);
      }
      return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([hour, found]) => hourOf(hour, found));
    },
  };
}

function hourOf(hour: string, parts: HourDocument[]): WebhookHour {
  const sum = (pick: (part: HourDocument) => number | undefined) =>
    parts.reduce((total, part) => total + (pick(part) ?? 0), 0);
  const attempts_succeeded = sum((part) => part.attempts_succeeded);
  const attempts_failed = sum((part) => part.attempts_failed);
  const attempts = attempts_succeeded + attempts_failed;
  const max = Math.max(...parts.map(({ latency_max_ms }) => latency_max_ms));
  const steps = [...new Set(parts.flatMap(({ latencies }) => Object.keys(latencies)))]
    .map(Number)
    .sort((a, b) => a - b);
  /** Returns the upper bound of the step that contains the percentile. */
  const percentile = (share: number) => {
    let left = Math.ceil(attempts * share);
    const step = steps.find((candidate) => {
      left -= sum(({ latencies }) => latencies[candidate]);
      return left <= 0;
    });
    return Math.min(max, upperBoundMs(step ?? 0));
  };
  return {
    hour,
    attempts_succeeded,
    attempts_failed,
    latency_ms: {
      average: Math.round(sum(({ latency_sum_ms }) => latency_sum_ms) / attempts),
      p50: percentile(0.5),
      p95: percentile(0.95),
      max,
    },
  };
}
