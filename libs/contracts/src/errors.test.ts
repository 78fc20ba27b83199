import { describe, expect, it } from '@jest/globals';
import { ApiError, type ErrorCode, errorBody, errorHeaders, errorOf, errors } from './errors.ts';

const codes = Object.keys(errors) as ErrorCode[];

describe('errors', () => {
  it.each(codes)('%s has a failure status, a message and a documentation page', (code) => {
    expect(errors[code].status).toBeGreaterThanOrEqual(400);
    expect(errors[code].message.length).toBeGreaterThan(20);
    expect(errorBody(errorOf(code), 'request-1')).toMatchObject({
      error: code,
      requestId: 'request-1',
      docs: `/docs/errors/${code}`,
    });
  });

  it('have the headers and fields that their code requires', () => {
    expect(errorHeaders(new ApiError('SERVICE_UNAVAILABLE'))).toHaveProperty('Retry-After');
    expect(errorHeaders(errorOf('RATE_LIMITED', { retryAfterSeconds: 0.2 }))).toEqual({
      'Retry-After': '1',
    });
    expect(errorHeaders(new ApiError('METHOD_NOT_ALLOWED', { allow: ['GET', 'POST'] }))).toEqual({
      Allow: 'GET, POST',
    });
    const refused = new ApiError('INSUFFICIENT_SCOPE', { requiredScope: 'write' });
    expect(errorBody(refused, 'r')).toMatchObject({ requiredScope: 'write' });
  });
});
