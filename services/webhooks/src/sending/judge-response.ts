import { limits } from '@waymark/contracts';

/** The verdict on a response. `gone` means rejected, and that the endpoint wants no more deliveries. */
export type Verdict = 'delivered' | 'retry' | 'rejected' | 'gone';

/** Applies the specification's table of receiver responses; a redirect is not followed and is retried. */
export function judge({ status }: { status: number | null }): Verdict {
  if (status === null) return 'retry';
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return 'rejected';
  return 'retry';
}

const JITTER = 0.1;

/** Returns the wait after failed attempt number `attempt`. `random` is from 0 to 1; jitter only adds. */
export function retryDelayMs(
  delaysSeconds: readonly number[],
  attempt: number,
  random: number,
  retryAfterSeconds: number | null,
): number {
  const delaySeconds = delaysSeconds[Math.min(attempt, delaysSeconds.length) - 1]!;
  const jitteredMs = Math.floor(delaySeconds * 1000 * (1 + JITTER * random));
  return Math.max(jitteredMs, Math.min(retryAfterSeconds ?? 0, limits.webhookRetryAfterSecondsMax) * 1000);
}

const HTTP_DATE = /^[A-Za-z]{3,9}, .+ GMT$/;

/** Parses a Retry-After header (RFC 9110, 10.2.3) into seconds; null when it is not usable. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const dateMs = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}

/** Whether Retry-After applies to a status: to 429, and to 503 (RFC 9110, 15.6.4). */
export function mayAskToWait(status: number | null): boolean {
  return status === 429 || status === 503;
}
