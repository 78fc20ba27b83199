import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { number, plural, rich } from './format.ts';

const ofSeries = (series: number) => (series > 1 ? ` of series ${series}` : '');

/** The deliveries of a webhook endpoint. */
export const deliveriesTexts = defineTexts('deliveries', {
  title: 'Deliveries',
  status: {
    pending: 'pending',
    delivered: 'delivered',
    failed: 'failed',
    held: 'held',
    cancelled: 'cancelled',
  },
  filters: { status: 'Status', event: 'Event' },
  columns: ['Event', 'Status', 'Attempts', 'Created', 'Actions'],
  attemptsOf: (attempt: number, max: number, series: number) =>
    `${attempt} of ${max}${series > 1 ? `, ${series - 1}× sent again` : ''}`,
  empty: 'Nothing was sent yet. Send a test, or cause one of its events.',
  noMatch: 'No deliveries match the filters.',

  accepted: 'accepted',
  meanings: {
    accepted: 'events for this endpoint',
    delivered: 'answered with success',
    pending: 'wait for an attempt',
    failed: 'given up',
    held: 'kept while disabled',
  },

  chart: {
    loading: 'Drawing the chart',
    title: 'Attempts of the last two days',
    about: (succeeded: number, failed: number, slowestMs: number) =>
      `${number(succeeded)} succeeded, ${number(failed)} failed; in the slowest hour 95 of 100 had their answer within ${number(slowestMs)} ms.`,
    hour: 'hour',
    attempts: 'Attempts per hour by result',
    attemptsUnit: 'attempts an hour',
    succeeded: 'succeeded',
    failed: 'failed',
    latency: 'Response time by hour',
    latencyUnit: 'milliseconds',
    p95: '95 of 100 within',
    p50: 'half within',
  },

  delivery: {
    title: 'Delivery',
    of: (event: string) => `Delivery of ${event}`,
    endpoint: 'Its endpoint',
    state: (
      { attempt, max_attempts, series }: { attempt: number; max_attempts: number; series: number },
      created: ReactNode,
      next: ReactNode,
    ) =>
      rich`Attempt ${attempt} of ${max_attempts}${series > 1 && ` in series ${series}`}, created ${created}${next && rich`, the next one ${next}`}`,
    body: 'Body',
    bodyHint:
      'The body as the last attempt sent it. The signatures cover its bytes and the time of the attempt. Below it is formatted for reading.',
    bodyOf: 'Body of the request',
    copy: 'Copy as sent',
    attempts: 'Attempts',
    noAttempts: 'None yet.',
  },

  attempt: {
    title: (attempt: number, series: number) => `Attempt ${attempt}${ofSeries(series)}`,
    noAnswer: 'no answer',
    duration: (at: ReactNode, latencyMs: number) => rich`${at}, ${number(latencyMs)} ms`,
    sent: 'Sent',
    sentIn: (attempt: number, series: number) => `Sent in attempt ${attempt}${ofSeries(series)}`,
    answered: 'Answered',
    answeredIn: (attempt: number, series: number) => `Answered in attempt ${attempt}${ofSeries(series)}`,
    status: (status: number) => `Status ${status}`,
    noBody: 'The answer had no body.',
    noHeaders: 'Its headers were not kept.',
  },

  replay: {
    act: 'Send again',
    of: (event: string) => `Send again: ${event}`,
    now: 'Send now',
    nowOf: (event: string) => `Send now: ${event}`,
    done: (count: number) =>
      plural(count, {
        one: 'One delivery is being sent again.',
        other: '# deliveries are being sent again.',
      }),
    doneOne: 'The delivery is being sent again.',
    title: 'Replay deliveries',
    hint: 'Each keeps its id, so that your endpoint recognises duplicates. Oldest first.',
    which: 'Which',
    statuses: {
      failed: 'Failed: no attempts left',
      held: 'Held: arrived while the endpoint was disabled',
      delivered: 'Delivered: the receiver answered with success',
    },
    since: 'Events since',
    running: 'Sending again',
    soFar: (count: number) => `${number(count)} so far`,
  },
});
