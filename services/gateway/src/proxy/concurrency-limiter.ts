import { ApiError } from '@waymark/contracts';
import { fairShare, inProportion } from '@waymark/service-kit/jobs';

export type ConcurrencyLimiter = ReturnType<typeof concurrencyLimiter>;

export type ConcurrencyRefusal = 'none_left' | 'share_taken';

const RETRY_SECONDS = 1;

/**
 * Limits the requests in flight to one service. A caller may have as many as the limit leaves free: a single
 * caller gets half, and however long it keeps them, the other half is left for others.
 */
export function concurrencyLimiter(limit: number, onRefusal: (reason: ConcurrencyRefusal) => void) {
  const share = fairShare<readonly string[]>({
    total: limit,
    policy: inProportion(1),
    tenantsOf: (callers) => callers,
  });
  return {
    /** Throws SERVICE_UNAVAILABLE at the limit, RATE_LIMITED when one of `callers` has its share. */
    check(callers: readonly string[]): void {
      if (share.left() === 0) {
        onRefusal('none_left');
        throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
      }
      if (share.allowance(callers) > 0) return;
      onRefusal('share_taken');
      throw new ApiError('RATE_LIMITED', {
        reason: 'concurrency',
        message: 'Too many requests of this caller are in flight; wait until some of them have ended.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    },
    take: (callers: readonly string[]) => share.take(callers),
    give: (callers: readonly string[]) => share.give(callers),
  };
}
