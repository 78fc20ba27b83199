import { limits, type WebhookHour } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import { type AttemptResult, DELIVERIES, type DeliveryWrite } from './delivery-record.ts';

/** Attempts to an endpoint in an hour. As with counters, the sum of several documents counts. */
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
const hourAt = (time: string | number) =>
  new Date(Math.floor(new Date(time).getTime() / HOUR_MS) * HOUR_MS).toISOString();
const prefixOf = (webhookId: string) => `history/${webhookId}/`;

/**
 * Returns the writes that add attempts to their hours, for the command that writes the attempts. `slot` is
 * that of the command's counters: transactions that do not conflict there do not conflict here.
 */
export function historyWrites(results: AttemptResult[], slot: number): DeliveryWrite[] {
  const hours = Map.groupBy(
    results,
    ({ claimed, attempt }) => `${prefixOf(claimed.webhook_id)}${hourAt(attempt.started_at)}/${slot}`,
  );
  const writes = [...hours].map(([_id, found]) => {
    const { claimed, attempt } = found[0]!;
    const expires_at = new Date(
      Date.parse(hourAt(attempt.started_at)) + limits.webhookHistoryHours * HOUR_MS,
    );
    const $inc: Record<string, number> = {};
    const add = (name: string, n: number) => {
      $inc[name] = ($inc[name] ?? 0) + n;
    };
    for (const { attempt, status } of found) {
      add(status === 'delivered' ? 'attempts_succeeded' : 'attempts_failed', 1);
      add(`latencies.${stepOf(attempt.latency_ms)}`, 1);
      add('latency_sum_ms', attempt.latency_ms);
    }
    const $max = { latency_max_ms: Math.max(...found.map(({ attempt }) => attempt.latency_ms)) };
    const update = { $inc, $max, $setOnInsert: { expires_at } };
    return { updateOne: { filter: { _id, workspace_id: claimed.workspace_id }, update, upsert: true } };
  });
  return writes as unknown as DeliveryWrite[];
}

/** The outcomes and latencies of attempts, by endpoint and hour. */
export function historyStore(database: Database) {
  const hours = database.collection<HourDocument>(DELIVERIES);

  return {
    /** Returns the hours that had attempts, up to the present one, oldest first. */
    async read(webhookId: string, nowMs: number): Promise<WebhookHour[]> {
      const prefix = prefixOf(webhookId);
      const from = hourAt(nowMs - (limits.webhookHistoryHours - 1) * HOUR_MS);
      const end = `${prefix.slice(0, -1)}0`;
      // The ids begin with the hour, so this also sorts the hours.
      const found = await hours
        .find({ _id: { $gte: `${prefix}${from}`, $lt: end } })
        .sort({ _id: 1 })
        .toArray();
      const byHour = Map.groupBy(found, ({ _id }) => _id.slice(prefix.length, _id.lastIndexOf('/')));
      return [...byHour].map(([hour, parts]) => hourOf(hour, parts));
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
  const steps = [...new Set(parts.flatMap(({ latencies }) => Object.keys(latencies).map(Number)))].sort(
    (a, b) => a - b,
  );
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
