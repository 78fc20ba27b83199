import { expect, it } from '@jest/globals';
import { events } from '@waymark/contracts';
import { parkedHeaders } from './parked-events.ts';

const message = { subject: 'waymark.events.user.signed_in', seq: 7 } as never;
const errorOf = (error: unknown) => [...parkedHeaders(message, error)].map(([, [value]]) => value);

it('names the fields of an event that does not fit its schema', () => {
  const { error } = events['user.signed_in'].data.safeParse({});
  expect(errorOf(error)).toContain('does not fit its schema: id is required (string)');
});

it('writes any other error on one line', () => {
  expect(errorOf(new TypeError('no\nstore'))).toContain('TypeError: no store');
});
