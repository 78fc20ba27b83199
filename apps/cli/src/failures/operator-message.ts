import { StartupError } from '@waymark/service-kit/process';
import { isUnavailable } from '@waymark/service-kit/store';

/** Returns the line for an operator about a failure of a store or its environment, or undefined. */
export function operatorMessageOf(error: unknown): string | undefined {
  if (isUnavailable(error)) return `a database is unavailable: ${(error as Error).message}`;
  return error instanceof StartupError ? error.message : undefined;
}
