import {
  ApiError,
  type Bucket,
  type KeyPrincipal,
  type Plan,
  plans,
  type RateLimits,
  type SessionPrincipal,
} from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import type { LimitDecision, LimitPolicy } from '../exchange/rate-limit-headers.ts';
import type { AddressLimiter } from './address-limiter.ts';
import { bucketPolicies } from './limit-decision.ts';
import type { Consume } from './window-limiter.ts';

/** Charges requests to their buckets and records the decision in the exchange; throws RATE_LIMITED. */
export interface RateLimit {
  /** Charges a key's own bucket and its workspace's ceiling together, or a user's bucket. */
  caller(exchange: Exchange, principal: KeyPrincipal | SessionPrincipal, bucket: Bucket): Promise<void>;
  /** Charges the bucket of the network address, for callers without valid credentials. */
  address(exchange: Exchange, bucket: Bucket): Promise<void>;
  /** Refuses an address that is known to have used up its bucket; charges nothing. */
  refuseExhausted(exchange: Exchange): void;
  /** The state of the address's bucket, for the headers of an answer that is charged to nobody. */
  uncharged(exchange: Exchange): LimitDecision;
}

/**
 * The Redis keys of every tier. The tiers of a workspace share a hash tag, so that a cluster can charge both
 * in one script. `prefix` separates installations on one Redis.
 */
export function limitKeys(prefix: string) {
  return {
    address: (network: string, bucket: Bucket) => `{${prefix}:${network}}:address:${bucket}`,
    user: (userId: string, bucket: Bucket) => `{${prefix}:${userId}}:user:${bucket}`,
    key: (workspaceId: string, keyId: string, bucket: Bucket) =>
      `{${prefix}:${workspaceId}}:key:${keyId}:${bucket}`,
    workspace: (workspaceId: string, bucket: Bucket) => `{${prefix}:${workspaceId}}:all:${bucket}`,
  };
}

export function rateLimit(options: {
  consume: Consume;
  addresses: AddressLimiter;
  limits: RateLimits;
  windowSeconds: number;
  keys: ReturnType<typeof limitKeys>;
}): RateLimit {
  const { consume, addresses, limits, windowSeconds, keys } = options;
  const ofKeys = keyPolicies(limits, windowSeconds);
  const ofSessions = bucketPolicies([['session', limits.session]], windowSeconds);

  function apply(exchange: Exchange, decision: LimitDecision): void {
    exchange.limit = decision;
    if (decision.allowed) return;
    throw new ApiError('RATE_LIMITED', {
      message: `The limit of this ${decision.policy.names[decision.binding]} is reached; wait for the seconds given in Retry-After.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }

  return {
    async caller(exchange, principal, bucket) {
      if (principal.type === 'session') {
        return apply(exchange, await consume([keys.user(principal.user_id, bucket)], ofSessions[bucket]));
      }
      const { workspace_id, key_id, plan } = principal;
      const tiers = [keys.key(workspace_id, key_id, bucket), keys.workspace(workspace_id, bucket)];
      apply(exchange, await consume(tiers, ofKeys[plan][bucket]));
    },
    async address(exchange, bucket) {
      apply(exchange, await addresses.consume(exchange.clientAddress, bucket));
    },
    refuseExhausted(exchange) {
      const known = addresses.known(exchange.clientAddress, bucketOf(exchange));
      if (!known.allowed) apply(exchange, known);
    },
    uncharged: (exchange) => addresses.known(exchange.clientAddress, bucketOf(exchange)),
  };
}

/** The operation's bucket; for a request that matches no operation, the bucket that fits its method. */
export function bucketOf({ operation, request }: Exchange): Bucket {
  return operation?.bucket ?? (request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'mutation');
}

function keyPolicies(limits: RateLimits, windowSeconds: number): Record<Plan, Record<Bucket, LimitPolicy>> {
  const policies = plans.map((plan) => {
    const tiers = [['key', limits.key[plan]] as const, ['workspace', limits.workspace[plan]] as const];
    return [plan, bucketPolicies(tiers, windowSeconds)];
  });
  return Object.fromEntries(policies) as Record<Plan, Record<Bucket, LimitPolicy>>;
}
