import { ApiError } from '@waymark/contracts';

const VERDICTS = ['VALIDATION_ERROR', 'CONFLICT', 'LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE'];

/** Whether a service refused the data, as opposed to being unable to answer. */
export function isVerdict(error: unknown): error is ApiError {
  return error instanceof ApiError && VERDICTS.includes(error.code);
}
