import { headers, limits, parseBatchSize } from '@waymark/contracts';
import { bucketOf, type RateLimit } from '../limits/rate-limit.ts';
import type { GatewayResponse, Middleware } from '../request-state.ts';

/** Charges a request to the buckets of its caller, or else of its address. Throws RATE_LIMITED. */
export function chargeLimits(rateLimit: RateLimit): Middleware {
  return async (_, response, next) => {
    const { principal } = response.locals;
    if (principal?.type === 'anonymous') await rateLimit.address(response, bucketOf(response));
    else if (principal) await rateLimit.caller(response, principal, bucketOf(response), costOf(response));
    next();
  };
}

/** A batch costs as much as its header says; with a wrong size it costs as much as any refused request. */
function costOf({ req, locals: { operation } }: GatewayResponse): number {
  const size = operation?.batch ? batchSizeOf(req.headers) : null;
  return size === null ? 1 : Math.ceil(size / limits.batchOperationsPerMutation);
}

export const batchSizeOf = (received: NodeJS.Dict<string | string[]>): number | null =>
  parseBatchSize(received[headers.batchSize.toLowerCase()] as string | undefined);
