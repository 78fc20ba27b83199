import type { RateLimits } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit/process';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { addressLimiter } from './address-limiter.ts';
import { limitUse } from './limit-use.ts';
import { limitKeys, rateLimit } from './rate-limit.ts';
import { openRedis } from './redis.ts';
import { redisHealth } from './redis-health.ts';
import type { RedisServers } from './redis-servers.ts';
import { windowLimiter } from './window-limiter.ts';

export interface LimitsConfig {
  redisUrl: RedisServers;
  redisCluster: boolean;
  redisPrefix: string;
  redisTimeoutMs: number;
  rateLimits: RateLimits;
  rateWindowSeconds: number;
}

/** No request is ever refused in this bucket. */
const PROBE_LIMIT = 1_000_000_000;

/** Connects to Redis and creates the rate limits over it. */
export function openLimits(
  config: LimitsConfig,
  { log, now, metrics }: { log: Logger; now: () => number; metrics: GatewayMetrics },
) {
  const { redisPrefix: prefix, rateLimits: limits, rateWindowSeconds: windowSeconds } = config;
  const windowMs = windowSeconds * 1000;
  const redis = openRedis({ servers: config.redisUrl, cluster: config.redisCluster, log });
  const health = redisHealth({
    timeoutMs: config.redisTimeoutMs,
    // Runs the limiter script itself, because a server that answers a ping may still refuse to write.
    probe: () => redis.consume([`{${prefix}:probe}`], windowMs, [PROBE_LIMIT], 0),
    reconnect: () => redis.reconnect(),
    metrics,
    log,
  });
  redis.onLost(health.lost);
  const consume = windowLimiter({ redis, health, windowMs, now, metrics });
  const keys = limitKeys(prefix);
  const addresses = addressLimiter({ consume, keyOf: keys.address, limits: limits.address, windowMs, now });
  return {
    addresses,
    rateLimit: rateLimit({ consume, addresses, limits, windowSeconds, keys }),
    use: limitUse({ redis, health, limits, windowMs, keys, now }),
    isRedisUp: () => !health.isAway(),
    connected: (limitMs: number) => redis.connected(limitMs),
    close() {
      health.stop();
      redis.close();
    },
  };
}
