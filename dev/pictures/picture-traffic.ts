import type { RateLimitUse, TierUse, WebhookHour, WebhookStats } from '@waymark/contracts';

/** Answers with realistic traffic for the pictures, because a new installation has none. */

const HOUR_MS = 3_600_000;
const SHOWN_HOURS = 47;
/** Multiplies the rate limits: one person makes all pictures, with more requests in a minute than allowed. */
export const LIMIT_SCALE = 10;
/** The hours ago at which the receiver failed. */
const REPAIR = [19, 20];

/** Returns a value between 0 and 1, constant per step: higher by day, lower at night, with some noise. */
function busyness(step: number, period: number): number {
  const wave = (Math.sin((2 * Math.PI * step) / period) + 1) / 2;
  const ripple = (Math.sin(step * 12.9898) * 43_758.5453) % 1;
  return Math.min(1, Math.max(0.04, 0.7 * wave + 0.3 * Math.abs(ripple)));
}

function hourOf(hoursAgo: number): WebhookHour {
  const attempts = Math.round(90 * busyness(hoursAgo, 24));
  const isInRepair = REPAIR.includes(hoursAgo);
  const failed = isInRepair ? Math.round(attempts * 0.6) : hoursAgo % 11 === 4 ? 2 : 0;
  const p50 = Math.round((isInRepair ? 210 : 34) + 40 * busyness(hoursAgo * 3, 17));
  const p95 = Math.round(p50 * (isInRepair ? 3.2 : 1.9));
  return {
    hour: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hoursAgo * HOUR_MS).toISOString(),
    attempts_succeeded: attempts - Math.min(failed, attempts),
    attempts_failed: Math.min(failed, attempts),
    latency_ms: { average: p50 + 8, p50, p95, max: p95 + 60 },
  };
}

/** Returns an endpoint's statistics after two days; the current hour is unchanged. */
export function afterTwoDays(stats: WebhookStats): WebhookStats {
  const past = Array.from({ length: SHOWN_HOURS }, (_, i) => hourOf(SHOWN_HOURS - i));
  const delivered = stats.delivered + past.reduce((sum, hour) => sum + hour.attempts_succeeded, 0);
  return {
    ...stats,
    delivered,
    accepted: delivered + stats.pending + stats.failed + stats.held + stats.cancelled,
    history: [...past, ...stats.history],
  };
}

/** Returns the use of the limits after an hour of traffic, without LIMIT_SCALE. */
export function afterAnHour(use: RateLimitUse): RateLimitUse {
  const windowMs = use.window_seconds * 1_000;
  const current = Date.parse(use.resets_at) - windowMs;
  const filled = (tier: TierUse, share: number): TierUse =>
    Object.fromEntries(
      Object.entries(tier).map(([bucket, { limit: scaled, used }], nth) => {
        const limit = scaled / LIMIT_SCALE;
        const most = limit * share * (bucket === 'export' ? 0.3 : 1);
        const at = (ago: number) => Math.round(most * busyness(ago + 13 * nth, 22 + 9 * nth));
        const past = Array.from({ length: 59 }, (_, i) => ({
          at: new Date(current - (i + 1) * windowMs).toISOString(),
          used: at(i + 1),
        }));
        return [bucket, { limit, used: Math.max(used, at(0)), past }];
      }),
    ) as TierUse;
  return {
    ...use,
    workspace: filled(use.workspace, 0.6),
    key: use.key && filled(use.key, 0.92),
    session: use.session && filled(use.session, 0.2),
  };
}
