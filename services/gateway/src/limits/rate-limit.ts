import {
  ApiError,
  type Bucket,
  type KeyPrincipal,
  plans,
  type RateLimits,
  type SessionPrincipal,
} from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import type { Exchange } from '../exchange/exchange.ts';
import type { LimitDecision } from '../exchange/rate-limit-headers.ts';
import { bucketPolicies, decide, recordOf, secondsUntil, windowEnd } from './limit-decision.ts';
import type { Consume } from './window-limiter.ts';

export type RateLimit = ReturnType<typeof rateLimit>;
export type LimitKeys = ReturnType<typeof limitKeys>;

const NETWORKS_MAX = 50_000;

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

interface LimitOptions {
  consume: Consume;
  keys: LimitKeys;
  limits: RateLimits;
  windowMs: number;
  now: () => number;
}

/** Charges requests to their buckets and records the decision in the exchange; throws RATE_LIMITED. */
export function rateLimit(options: LimitOptions) {
  const { consume, limits, windowMs, keys } = options;
  const addresses = addressLimiter(options);
  const ofSessions = bucketPolicies([['session', limits.session]], windowMs);
  const ofKeys = recordOf(plans, (plan) =>
    bucketPolicies(
      [
        ['key', limits.key[plan]],
        ['workspace', limits.workspace[plan]],
      ],
      windowMs,
    ),
  );

  function apply(exchange: Exchange, decision: LimitDecision): void {
    exchange.limit = decision;
    if (decision.allowed) return;
    throw new ApiError('RATE_LIMITED', {
      message: `The limit of this ${decision.policy.names[decision.binding]} is reached; wait for the seconds given in Retry-After.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }

  /** The state of the address's bucket, for the headers of an answer that is charged to nobody. */
  const uncharged = (exchange: Exchange) => addresses.known(exchange.clientAddress, bucketOf(exchange));

  return {
    /** Charges a key's own bucket and its workspace's ceiling together, or a user's bucket. */
    async caller(
      exchange: Exchange,
      principal: KeyPrincipal | SessionPrincipal,
      bucket: Bucket,
    ): Promise<void> {
      if (principal.type === 'session') {
        return apply(exchange, await consume([keys.user(principal.user_id, bucket)], ofSessions[bucket]));
      }
      const { workspace_id, key_id, plan } = principal;
      const tiers = [keys.key(workspace_id, key_id, bucket), keys.workspace(workspace_id, bucket)];
      apply(exchange, await consume(tiers, ofKeys[plan][bucket]));
    },
    /** Charges the bucket of the network address, for callers without valid credentials. */
    async address(exchange: Exchange, bucket: Bucket): Promise<void> {
      apply(exchange, await addresses.consume(exchange.clientAddress, bucket));
    },
    /** Refuses an address that is known to have used up its bucket; charges nothing. */
    refuseExhausted(exchange: Exchange): void {
      const known = uncharged(exchange);
      if (!known.allowed) apply(exchange, known);
    },
    uncharged,
    known: addresses.known,
  };
}

/** Limits callers without valid credentials by network address; an IPv6 client by its /64. */
function addressLimiter({ consume, keys, limits, windowMs, now }: LimitOptions) {
  const policies = bucketPolicies([['address', limits.address]], windowMs);
  const decisions = new LRUCache<string, LimitDecision>({ max: NETWORKS_MAX });

  /** Returns the last decision that this replica knows, and charges nothing. */
  function known(address: string, bucket: Bucket): LimitDecision {
    const nowMs = now();
    const last = decisions.get(keys.address(clientNetwork(address), bucket));
    if (last && last.resetAtMs > nowMs) {
      return { ...last, retryAfterSeconds: secondsUntil(last.resetAtMs, nowMs) };
    }
    const resetAtMs = windowEnd(nowMs, windowMs);
    return decide(policies[bucket], { refusing: -1, counts: [0], nowMs, resetAtMs });
  }

  return {
    known,
    async consume(address: string, bucket: Bucket): Promise<LimitDecision> {
      const last = known(address, bucket);
      // Redis is not asked again about an exhausted address.
      if (!last.allowed) return last;
      const key = keys.address(clientNetwork(address), bucket);
      // Keeps no past windows, because no page shows the use of an address.
      const decision = await consume([key], policies[bucket], 0);
      decisions.set(key, decision);
      return decision;
    },
  };
}

/** The operation's bucket; for a request that matches no operation, the bucket that fits its method. */
export function bucketOf({ operation, request }: Exchange): Bucket {
  return operation?.bucket ?? (request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'mutation');
}
