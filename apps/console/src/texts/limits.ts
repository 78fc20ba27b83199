import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { number, rich } from './format.ts';

/** The use of the rate limits. */
export const limitsTexts = defineTexts('limits', {
  about: (resetsAt: ReactNode) =>
    rich`Requests per minute. A request with a key counts against the key and the workspace. The current minute ends ${resetsAt}. Each bar is a minute, and the dashed line is the limit; above 80% of it, the bar is red.`,
  oneKey: 'One key',
  chooseKey: 'Choose a key',
  tiers: { workspace: 'the workspace, all keys together', key: 'this key', session: 'you, in the console' },
  columns: ['Requests', 'This minute', 'Most in a minute', 'In the last hour', 'By minute'],

  buckets: { read: 'Reads', mutation: 'Changes', export: 'Exports' },
  usedUp: 'used up',
  usedOf: (used: number, limit: number) => `${number(used)} of ${number(limit)}`,
  usedThisMinute: (bucket: string) => `${bucket} used this minute`,
});
