import { z } from 'zod';
import { buckets, plans } from '../limits.ts';
import { time } from '../schema/types.ts';

const BucketUse = z.object({
  limit: z.number().int().describe('Requests a window'),
  used: z.number().int().describe('In the window of now'),
  past: z
    .array(z.object({ at: time(), used: z.number().int() }))
    .describe('Earlier windows of the last 60 that had a request, newest first; `at` is the start of each'),
});

const TierUse = z.record(z.enum(buckets), BucketUse);
export type TierUse = z.output<typeof TierUse>;

export const RateLimitUse = z
  .object({
    plan: z.enum(plans),
    window_seconds: z.number().int(),
    resets_at: time().describe('The end of the window of now'),
    workspace: TierUse.describe('All keys of the workspace together'),
    key: TierUse.nullable().describe('The key that keyId names'),
    session: TierUse.describe('The caller, in all workspaces'),
  })
  .meta({ id: 'RateLimitUse' });
export type RateLimitUse = z.output<typeof RateLimitUse>;
