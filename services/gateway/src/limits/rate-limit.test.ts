import { describe, expect, it } from '@jest/globals';
import { rateLimits } from '@waymark/contracts';
import type { GatewayResponse } from '../request-state.ts';
import { decide, windowEnd } from './limit-decision.ts';
import { limitKeys, rateLimit } from './rate-limit.ts';

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;

describe('an exhausted address', () => {
  it.each([0, HOUR_MS, -HOUR_MS])(
    'is asked about again after the window when our clock is %d ms behind Redis’s',
    async (behindMs) => {
      let nowMs = 1_800_000_010_000;
      let asked = 0;
      const limit = rateLimit({
        consume: async (_, policy) => {
          asked += 1;
          const redisMs = nowMs + behindMs;
          const resetAtMs = windowEnd(redisMs, WINDOW_MS);
          return decide(policy, { refusing: asked === 1 ? 0 : -1, counts: [1], nowMs: redisMs, resetAtMs });
        },
        keys: limitKeys('test'),
        limits: rateLimits,
        windowMs: WINDOW_MS,
        now: () => nowMs,
      });
      const response = { locals: { clientAddress: '192.0.2.1' } } as GatewayResponse;
      await expect(limit.address(response, 'read')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      nowMs += WINDOW_MS;
      await limit.address(response, 'read');
      expect(asked).toBe(2);
    },
  );
});
