import { z } from 'zod';
import { buckets, plans } from '../limits.ts';
import { time } from '../schema/types.ts';

const BucketUse = z.object({
  limit: z.number().int().describe('Requests per window'),
  used: z.number().int().describe('Requests in the current window'),
  past: z
    .array(z.object({ at: time(), used: z.number().int() }))
    .describe('Those of the last 60 windows that had a request, newest first; `at` is the start of each'),
});

const TierUse = z.record(z.enum(buckets), BucketUse);
export type TierUse = z.output<typeof TierUse>;

export const RateLimitUse = z
  .object({
    plan: z.enum(plans),
    window_seconds: z.number().int(),
    resets_at: time().describe('The end of the current window'),
    workspace: TierUse.describe('All keys of the workspace together'),
    key: TierUse.nullable().describe('The key that keyId names'),
    session: TierUse.describe('The session’s own use, in all workspaces'),
  })
  .meta({ id: 'RateLimitUse' });
export type RateLimitUse = z.output<typeof RateLimitUse>;
