import type { MetricsHistory } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { DecisionsContext } from '../context.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Days from a Monday to the epoch, which was a Thursday. */
const EPOCH_WEEKDAY = 3;

/** Returns the workspace metric at the last Mondays and now: `weeks` points, oldest first. */
export async function getMetricsHistory(
  { store, scan, now }: DecisionsContext,
  ctx: RequestContext,
  weeks: number,
): Promise<MetricsHistory> {
  const { workspaceId } = ctx.access;
  const nowMs = now();
  const mondays = mondaysBefore(nowMs, weeks - 1);
  const { created, resolved } = await scan(ctx, (bounded) =>
    store.changesByPeriod(workspaceId, mondays, bounded),
  );
  let total = 0;
  let withOutcome = 0;
  // The first period, '', is the time before the first Monday.
  const periods = ['', ...mondays];
  const ends = [...mondays, new Date(nowMs).toISOString()];
  const data = periods.map((start, i) => {
    total += created.get(start) ?? 0;
    withOutcome += resolved.get(start) ?? 0;
    // An imported outcome can be older than its decision.
    const known = Math.min(withOutcome, total);
    const wms = total === 0 ? 0 : (100 * known) / total;
    return { at: ends[i]!, wms, decisions_total: total, decisions_with_outcome: known };
  });
  return { workspace_id: workspaceId, data };
}

/** Returns the starts of the last `count` weeks before a moment, oldest first. */
export function mondaysBefore(atMs: number, count: number): string[] {
  const days = Math.floor((atMs - 1) / DAY_MS);
  const latest = (days - ((days + EPOCH_WEEKDAY) % 7)) * DAY_MS;
  return Array.from({ length: count }, (_, i) => new Date(latest - (count - 1 - i) * WEEK_MS).toISOString());
}
