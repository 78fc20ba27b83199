import { ApiError } from '@waymark/contracts';
import { StartupError } from '@waymark/service-kit/process';
import { isRefusal, isUnavailable } from '@waymark/service-kit/store';

/** Returns the line for an operator about a failed store, environment or service, or undefined. */
export function operatorMessageOf(error: unknown): string | undefined {
  if (error instanceof StartupError || error instanceof ApiError) return error.message;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (isUnavailable(error)) return `a database is unavailable: ${message}`;
  if (isRefusal(error)) return `MongoDB refuses the user in its URL: ${message}`;
  // A file that cannot be opened, such as a certificate that a URL names.
  return syscall === 'open' ? message : undefined;
}
