import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { useOwnRedis } from './own-redis.ts';

const own = useOwnRedis();
const { isInsured, callEverything, backToRedis } = own;
/** Twice the limit of a probe: meanwhile the gateway reconnects to a server that still does not answer. */
const REPLACED_MS = 4_500;

describe('a Redis that is stopped by SIGSTOP', () => {
  it('is used again even if the connection has been replaced meanwhile', async () => {
    await backToRedis();
    process.kill(own.redis.pid, 'SIGSTOP');
    try {
      await callEverything();
      expect(await isInsured()).toBe(true);
      const stoppedAt = performance.now();
      await eventually(async () => {
        await callEverything();
        return performance.now() - stoppedAt > REPLACED_MS;
      });
    } finally {
      process.kill(own.redis.pid, 'SIGCONT');
    }
    await backToRedis();
  });
});
