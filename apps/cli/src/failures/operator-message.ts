import { ApiError } from '@waymark/contracts';
import { StartupError } from '@waymark/service-kit/process';
import { isUnavailable } from '@waymark/service-kit/store';

/** Returns the line for an operator about a failed store, environment or service, or undefined. */
export function operatorMessageOf(error: unknown): string | undefined {
  if (error instanceof StartupError || error instanceof ApiError) return error.message;
  return isUnavailable(error) ? `a database is unavailable: ${(error as Error).message}` : undefined;
}
