import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { number, rich } from './format.ts';

/** The use of the rate limits. */
export const limitsTexts = defineTexts('limits', {
  about: (resetsAt: ReactNode) =>
    rich`Requests per minute. A request with a key counts against the key and the workspace. The current minute ends ${resetsAt}.`,
  workspace: 'The workspace, all keys together',
  oneKey: 'One key',
  chooseKey: 'Choose a key',
  key: 'This key',
  session: 'You, in the console',

  buckets: { read: 'Reads', mutation: 'Changes', export: 'Exports' },
  usedUp: 'used up',
  usedOf: (used: number, limit: number) => `${number(used)} of ${number(limit)} this minute`,
  usedThisMinute: (bucket: string) => `${bucket} used this minute`,

  lastHour: (bucket: string) => `${bucket} by minute over the last hour`,
  unit: 'requests a minute',
  minute: 'minute',
  used: 'used',
  nearLimit: 'used, near the limit',
  limit: 'the limit',
});
