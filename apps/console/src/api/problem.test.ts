import { expect, it } from '@jest/globals';
import { WaymarkError } from '@waymark/client/api';
import { problemOf } from './problem.ts';

const answered = (status: number, body: object, retryAfter = '') =>
  new WaymarkError(new Response('', { status, headers: { 'retry-after': retryAfter } }), { ...body });
const refused = (status: number, error: string) => answered(status, { error, message: `${status}.` }, '1');

it.each([
  ['Some of the input is not valid', '400.', refused(400, 'VALIDATION_ERROR')],
  ['You are signed out', 'Sign in, then try again.', refused(401, 'UNAUTHORIZED')],
  ['Your role does not allow this', '403.', refused(403, 'FORBIDDEN')],
  ['This was not found', '404.', refused(404, 'NOT_FOUND')],
  ['This conflicts with the stored data', '409.', refused(409, 'CONFLICT')],
  ['Somebody else changed this meanwhile', '412.', refused(412, 'PRECONDITION_FAILED')],
  ['Too many requests', 'Wait 1 s, then try again.', refused(429, 'RATE_LIMITED')],
  ['Too many requests', '429.', answered(429, { error: 'RATE_LIMITED', message: '429.' })],
  ['Something went wrong on our side', '500.', refused(500, 'INTERNAL_ERROR')],
  ['A part of Waymark is unavailable', '503.', refused(503, 'SERVICE_UNAVAILABLE')],
  ['This did not work', '418.', refused(418, 'NEWER_THAN_THIS_PAGE')],
  ['This did not work', 'The answer was 502.', answered(502, {})],
  ['Waymark does not answer', 'Check your connection, then try again.', new TypeError('Failed to fetch')],
])('says "%s: %s"', (title, detail, error) => {
  const status = error instanceof WaymarkError ? error.status : null;
  const isFinal = status !== null && [400, 403, 404].includes(status);
  expect(problemOf(error)).toMatchObject({ title, detail, isExpiry: status === 401, isFinal });
});

it('says what an error means in this place, and each field by its name', () => {
  expect(problemOf(refused(401, 'UNAUTHORIZED'), { UNAUTHORIZED: 'Wrong password' })).toMatchObject({
    title: 'Wrong password',
    detail: '401.',
  });
  const typed = answered(409, { error: 'CONFLICT', message: 'is required (string)' });
  expect(problemOf(typed, { CONFLICT: 'Taken' })).toMatchObject({ detail: 'is required' });
  const issues = [{ path: 'optionsConsidered.0.title', message: 'is empty' }];
  const detail = 'Options considered, entry 1, title: is empty';
  expect(problemOf(answered(400, { error: 'VALIDATION_ERROR', issues }))).toMatchObject({ detail });
});
