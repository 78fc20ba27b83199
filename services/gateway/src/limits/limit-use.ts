import {
  ApiError,
  type Bucket,
  type BucketLimits,
  buckets,
  membershipOf,
  type RateLimits,
  type RateLimitUse,
  type TierUse,
} from '@waymark/contracts';
import type { ClientPrincipal } from '../request-state.ts';
import { windowEnd } from './limit-decision.ts';
import { COUNT_RANGE, PAST_WINDOWS, WINDOW_NUMBERS } from './limiter-script.ts';
import type { LimitKeys } from './rate-limit.ts';
import type { LimiterOptions } from './window-limiter.ts';

export type LimitUse = ReturnType<typeof limitUse>;

export function limitUse(options: LimiterOptions, limits: RateLimits, keys: LimitKeys) {
  const { redis, health, windowMs, now } = options;

  async function tier(tierLimits: BucketLimits, keyOf: (bucket: Bucket) => string): Promise<TierUse> {
    const uses = buckets.map(async (bucket) => {
      const counters = await redis.counters(keyOf(bucket));
      return [bucket, { limit: tierLimits[bucket], ...useOver(counters, now(), windowMs) }] as const;
    });
    return Object.fromEntries(await Promise.all(uses)) as TierUse;
  }

  /** The use of a workspace, one of its keys, and the caller. Throws SERVICE_UNAVAILABLE without Redis. */
  return async (principal: ClientPrincipal | null, keyId: string | null): Promise<RateLimitUse> => {
    const membership = principal && membershipOf(principal);
    if (!membership) throw new ApiError('FORBIDDEN', { reason: 'not_a_member' });
    const { plan, workspace_id } = membership;
    const userId = principal.type === 'session' ? principal.user_id : null;
    const ask = () =>
      Promise.all([
        tier(limits.workspace[plan], (bucket) => keys.workspace(workspace_id, bucket)),
        // The key in Redis contains the workspace's id, so an API key of another workspace finds nothing.
        keyId && tier(limits.key[plan], (bucket) => keys.key(workspace_id, keyId, bucket)),
        userId && tier(limits.session, (bucket) => keys.user(userId, bucket)),
      ]);
    const [workspace, key, session] = await health.withFallback(ask, async () => {
      throw new ApiError('SERVICE_UNAVAILABLE', {
        message: 'The rate-limit counters are unavailable; try again.',
      });
    });
    return {
      plan,
      window_seconds: windowMs / 1_000,
      resets_at: new Date(windowEnd(now(), windowMs)).toISOString(),
      workspace,
      key: key || null,
      session: session || null,
    };
  };
}

/** Decodes counters of the limiter script: the use of the current window, and of past windows. */
export function useOver(counters: readonly string[], nowMs: number, windowMs: number) {
  const clock = Math.floor(nowMs / windowMs);
  // A window that has begun stays current even if the clock is behind it.
  const hasBegun = Math.floor(Number(counters[0]) / COUNT_RANGE) === (clock + 1) % WINDOW_NUMBERS;
  const current = hasBegun ? clock + 1 : clock;
  let used = 0;
  const past: { at: string; used: number }[] = [];
  for (const counter of counters.map(Number)) {
    const count = counter % COUNT_RANGE;
    const age = (current - Math.floor(counter / COUNT_RANGE) + WINDOW_NUMBERS) % WINDOW_NUMBERS;
    if (age === 0) used = count;
    else if (age <= PAST_WINDOWS) {
      past.push({ at: new Date((current - age) * windowMs).toISOString(), used: count });
    }
  }
  return { used, past };
}
