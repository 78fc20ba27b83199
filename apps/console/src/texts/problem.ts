import { defineTexts } from './define-texts.ts';

/** Titles of errors by their code. */
export const problemTexts = defineTexts('problem', {
  titles: {
    VALIDATION_ERROR: 'Some of the input is not valid',
    UNAUTHORIZED: 'You are signed out',
    FORBIDDEN: 'Your role does not allow this',
    PLAN_GATE: 'Your plan does not include this',
    NOT_FOUND: 'This was not found',
    APPROVAL_REQUIRED: 'Approvals of this text are missing',
    CONFLICT: 'This conflicts with the stored data',
    LIMIT_EXCEEDED: 'A limit is reached',
    PRECONDITION_FAILED: 'Somebody else changed this meanwhile',
    PRECONDITION_REQUIRED: 'Somebody else may have changed this meanwhile',
    PAYLOAD_TOO_LARGE: 'This is too large',
    RATE_LIMITED: 'Too many requests',
    SERVICE_UNAVAILABLE: 'A part of Waymark is unavailable',
    DATABASE_NOT_CONFIGURED: 'This part of Waymark is not set up',
    INTERNAL_ERROR: 'Something went wrong on our side',
  },
  /** Instead of the message of the API, which is for programs. */
  signInAgain: 'Sign in, then try again.',
  wait: (seconds: number) => `Wait ${seconds} s, then try again.`,
  other: 'This did not work',
  offline: 'Waymark does not answer',
  offlineHint: 'Check your connection, then try again.',
  /** What the API says of a field or an error, without the type that programs need. */
  ofApi: (message: string) => message.replace(/^(is required) \(.*\)$/, '$1'),
  input: 'Input',
  entry: (at: number) => `entry ${at}`,
  inEntry: (at: number, message: string) => `Entry ${at} ${message}`,
});
