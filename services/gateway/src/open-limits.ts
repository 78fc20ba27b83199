import type { Logger } from '@waymark/service-kit/process';
import type { Config } from './config.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { limitUse } from './limits/limit-use.ts';
import { limitKeys, rateLimit } from './limits/rate-limit.ts';
import { openRedis } from './limits/redis.ts';
import { redisHealth } from './limits/redis-health.ts';
import { windowLimiter } from './limits/window-limiter.ts';

/** No request is ever refused in this bucket. */
const PROBE_LIMIT = 1_000_000_000;

export function openLimits(
  config: Config,
  { log, now, metrics }: { log: Logger; now: () => number; metrics: GatewayMetrics },
) {
  const { redisPrefix, rateLimits: limits } = config;
  const windowMs = config.rateWindowSeconds * 1000;
  const { redisUrl: servers, redisSentinelUrl: sentinels, redisCluster: cluster } = config;
  const redis = openRedis({ servers, sentinels, cluster, log });
  const health = redisHealth({
    timeoutMs: config.redisTimeoutMs,
    // Runs the limiter script itself, because a server that answers a ping may still refuse to write.
    probe: () => redis.consume([`{${redisPrefix}:probe}`], windowMs, [PROBE_LIMIT], { pastWindows: 0 }),
    reconnect: redis.reconnect,
    metrics,
    log,
  });
  redis.onLost(health.lost);
  const limiter = { redis, health, windowMs, now };
  const consume = windowLimiter(limiter, metrics);
  const keys = limitKeys(redisPrefix);
  return {
    rateLimit: rateLimit({ consume, limits, windowMs, keys, now }),
    use: limitUse(limiter, limits, keys),
    isRedisUp: () => redis.hasConnected() && !health.isAway(),
    connected: redis.connected,
    close() {
      health.stop();
      redis.close();
    },
  };
}
