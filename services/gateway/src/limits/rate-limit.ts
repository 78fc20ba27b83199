import {
  ApiError,
  type Bucket,
  limits as contractLimits,
  headers,
  type KeyPrincipal,
  parseBatchSize,
  plans,
  type RateLimits,
  type SessionPrincipal,
} from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { LimitDecision } from '../http/rate-limit-headers.ts';
import { type GatewayResponse, isSafe, type Middleware } from '../request-state.ts';
import { bucketPolicies, decide, recordOf, secondsUntil, windowEnd } from './limit-decision.ts';
import type { Consume } from './window-limiter.ts';

export type RateLimit = ReturnType<typeof rateLimit>;
export type LimitKeys = ReturnType<typeof limitKeys>;

const NETWORKS_MAX = 50_000;

/** The keys in Redis. A workspace's tiers share a hash tag, so that a cluster charges both in one script. */
export function limitKeys(prefix: string) {
  return {
    address: (network: string, bucket: Bucket) => `{${prefix}:${network}}:address:${bucket}`,
    user: (userId: string, bucket: Bucket) => `{${prefix}:${userId}}:user:${bucket}`,
    key: (workspaceId: string, keyId: string, bucket: Bucket) =>
      `{${prefix}:${workspaceId}}:key:${keyId}:${bucket}`,
    workspace: (workspaceId: string, bucket: Bucket) => `{${prefix}:${workspaceId}}:all:${bucket}`,
  };
}

/** Charges requests to their buckets and records the decision in `response.locals`; throws RATE_LIMITED. */
export function rateLimit(options: {
  consume: Consume;
  keys: LimitKeys;
  limits: RateLimits;
  windowMs: number;
  now: () => number;
}) {
  const { consume, limits, windowMs, keys, now } = options;
  const ofAddresses = bucketPolicies([['address', limits.address]], windowMs);
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
  const addressDecisions = boundedCache<string, { decision: LimitDecision; atMs: number }>(NETWORKS_MAX);
  /** An IPv6 client is limited by its /64. */
  const addressKey = (address: string, bucket: Bucket) => keys.address(clientNetwork(address), bucket);

  /** The last decision about an address that this replica knows. Charges nothing. */
  function known(address: string, bucket: Bucket): LimitDecision {
    const nowMs = now();
    const last = addressDecisions.get(addressKey(address, bucket));
    if (last) {
      // Redis's clock decides when a window ends. If this clock is behind, Retry-After decides.
      const agedMs = nowMs - last.atMs;
      const { decision } = last;
      const leftMs = Math.min(decision.resetAtMs - nowMs, decision.retryAfterSeconds * 1_000 - agedMs);
      if (agedMs >= 0 && leftMs > 0) return { ...decision, retryAfterSeconds: secondsUntil(leftMs, 0) };
    }
    const resetAtMs = windowEnd(nowMs, windowMs);
    return decide(ofAddresses[bucket], { refusing: -1, counts: [0], nowMs, resetAtMs });
  }

  /** The decision for the headers of a response that is charged to nobody. */
  const uncharged = (response: GatewayResponse) => known(response.locals.clientAddress, bucketOf(response));

  function apply(response: GatewayResponse, decision: LimitDecision): void {
    response.locals.limit = decision;
    if (decision.allowed) return;
    const { policy, remaining, binding } = decision;
    const left = remaining[binding]!;
    const state = left > 0 ? `has only ${left} requests left, less than this batch costs` : 'is reached';
    throw new ApiError('RATE_LIMITED', {
      reason: 'rate_limit',
      message: `The limit of this ${policy.names[binding]} ${state}; wait for the seconds given in Retry-After.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }

  return {
    /** Charges a key's own bucket and its workspace's ceiling together, or a user's bucket. */
    async caller(
      response: GatewayResponse,
      principal: KeyPrincipal | SessionPrincipal,
      bucket: Bucket,
      cost = 1,
    ): Promise<void> {
      if (principal.type === 'session') {
        const tier = [keys.user(principal.user_id, bucket)];
        return apply(response, await consume(tier, ofSessions[bucket], { cost }));
      }
      const { workspace_id, key_id, plan } = principal;
      const tiers = [keys.key(workspace_id, key_id, bucket), keys.workspace(workspace_id, bucket)];
      apply(response, await consume(tiers, ofKeys[plan][bucket], { cost }));
    },
    /** Charges the bucket of the network address, for callers without valid credentials. */
    async address(response: GatewayResponse, bucket: Bucket): Promise<void> {
      const { clientAddress } = response.locals;
      // Redis is not asked again about an exhausted address.
      const last = known(clientAddress, bucket);
      if (!last.allowed) return apply(response, last);
      const key = addressKey(clientAddress, bucket);
      // Keeps no past windows, because no page shows the use of an address.
      const decision = await consume([key], ofAddresses[bucket], { pastWindows: 0 });
      addressDecisions.set(key, { decision, atMs: now() });
      apply(response, decision);
    },
    /** Refuses an address that is known to have used up its bucket; charges nothing. */
    refuseExhausted(response: GatewayResponse): void {
      const last = uncharged(response);
      if (!last.allowed) apply(response, last);
    },
    uncharged,
    known,
  };
}

/** The operation's bucket; for a request that matches no operation, the bucket that fits its method. */
export function bucketOf({ req, locals: { operation } }: GatewayResponse): Bucket {
  return operation?.bucket ?? (isSafe(req.method) ? 'read' : 'mutation');
}

/** Charges a request to the buckets of its caller, or else of its address. Throws RATE_LIMITED. */
export function chargeLimits(charge: RateLimit): Middleware {
  return async (_, response, next) => {
    const { principal } = response.locals;
    if (principal?.type === 'anonymous') await charge.address(response, bucketOf(response));
    else if (principal) await charge.caller(response, principal, bucketOf(response), costOf(response));
    next();
  };
}

/** A batch costs as much as its header says; with a wrong size it costs as much as any refused request. */
function costOf({ req, locals: { operation } }: GatewayResponse): number {
  const size = operation?.batch ? batchSizeOf(req.headers) : null;
  return size === null ? 1 : Math.ceil(size / contractLimits.batchOperationsPerMutation);
}

export const batchSizeOf = (received: NodeJS.Dict<string | string[]>): number | null =>
  parseBatchSize(received[headers.batchSize.toLowerCase()] as string | undefined);
