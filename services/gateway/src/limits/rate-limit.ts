import {
  ApiError,
  type Bucket,
  buckets,
  type KeyPrincipal,
  type Plan,
  plans,
  type RateLimits,
  type SessionPrincipal,
} from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import type { AddressLimiter } from './address-limiter.ts';
import { bucketPolicies, type LimitDecision, type LimitPolicy, limitPolicy } from './limit-decision.ts';
import type { Consume } from './memory-limiter.ts';

/** Charges requests to their buckets and notes the decision in the exchange; throws RATE_LIMITED. */
export interface RateLimit {
  /** A key's own bucket and its workspace's ceiling together, or a user's bucket. */
  caller(exchange: Exchange, principal: KeyPrincipal | SessionPrincipal, bucket: Bucket): Promise<void>;
  /** The bucket of the network address, for callers without valid credentials. */
  address(exchange: Exchange, bucket: Bucket): Promise<void>;
  /** Refuses, without charging anything, an address that is known to have used up its bucket. */
  refuseExhausted(exchange: Exchange): void;
  /** For an answer that nobody is charged for, so that it has the headers all the same. */
  uncharged(exchange: Exchange): LimitDecision;
}

/** The Redis keys of every tier. One hash tag for a workspace's, so that a cluster can charge two in one script. */
export function limitKeys(prefix: string) {
  return {
    user: (userId: string, bucket: Bucket) => `{${prefix}:${userId}}:user:${bucket}`,
    key: (workspaceId: string, keyId: string, bucket: Bucket) =>
      `{${prefix}:${workspaceId}}:key:${keyId}:${bucket}`,
    workspace: (workspaceId: string, bucket: Bucket) => `{${prefix}:${workspaceId}}:all:${bucket}`,
  };
}

/** `prefix` separates installations on one Redis. */
export function rateLimit(options: {
  consume: Consume;
  addresses: AddressLimiter;
  limits: RateLimits;
  windowSeconds: number;
  prefix: string;
}): RateLimit {
  const { consume, addresses, limits, windowSeconds } = options;
  const named = limitKeys(options.prefix);
  const ofKeys = keyPolicies(limits, windowSeconds);
  const ofSessions = bucketPolicies('session', limits.session, windowSeconds);

  function settle(exchange: Exchange, decision: LimitDecision): void {
    exchange.limit = decision;
    if (!decision.allowed) {
      throw new ApiError('RATE_LIMITED', {
        message: `The limit of this ${decision.policy.names[decision.binding]} is reached; wait for the seconds given in Retry-After.`,
        retryAfterSeconds: decision.retryAfterSeconds,
      });
    }
  }

  return {
    async caller(exchange, principal, bucket) {
      if (principal.type === 'session') {
        return settle(exchange, await consume([named.user(principal.user_id, bucket)], ofSessions[bucket]));
      }
      const { workspace_id, key_id } = principal;
      const keys = [named.key(workspace_id, key_id, bucket), named.workspace(workspace_id, bucket)];
      settle(exchange, await consume(keys, ofKeys[principal.plan][bucket]));
    },
    async address(exchange, bucket) {
      settle(exchange, await addresses.consume(exchange.clientAddress, bucket));
    },
    refuseExhausted(exchange) {
      const known = addresses.known(exchange.clientAddress, bucketOf(exchange));
      if (!known.allowed) settle(exchange, known);
    },
    uncharged: (exchange) => addresses.known(exchange.clientAddress, bucketOf(exchange)),
  };
}

/** The operation's bucket; of a request that matches none, by its method. */
export function bucketOf({ operation, request }: Exchange): Bucket {
  return operation?.bucket ?? (request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'mutation');
}

function keyPolicies(limits: RateLimits, windowSeconds: number): Record<Plan, Record<Bucket, LimitPolicy>> {
  const policy = (plan: Plan, bucket: Bucket) =>
    limitPolicy(
      [
        ['key', limits.key[plan][bucket]],
        ['workspace', limits.workspace[plan][bucket]],
      ],
      windowSeconds,
    );
  return Object.fromEntries(
    plans.map((plan) => [plan, Object.fromEntries(buckets.map((bucket) => [bucket, policy(plan, bucket)]))]),
  ) as Record<Plan, Record<Bucket, LimitPolicy>>;
}
