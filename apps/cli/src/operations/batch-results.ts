import type { BatchCreate, BatchResults } from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { exitCodeOf } from '../output/call-failure.ts';
import { lineOf } from '../output/cell.ts';

/** Returns what a person needs of each result, which says by itself neither its operation nor its record. */
export function batchRows({ results }: BatchResults, { operations }: BatchCreate): Record<string, unknown>[] {
  return results.map(({ status, body, error }, index) => ({
    number: index + 1,
    operation: operations[index]?.operation,
    status,
    id: body?.['id'],
    message: error?.message ?? error?.error,
  }));
}

/** Throws CommandError if an operation failed, with the exit code that all failed ones have by themselves. */
export function assertAllSucceeded({ results }: BatchResults): void {
  const failed = results.flatMap(({ status, error }, index) => (error ? [{ status, error, index }] : []));
  const [first] = failed;
  if (!first) return;
  const codes = new Set(failed.map(({ status, error }) => exitCodeOf({ status, code: error.error })));
  const [exitCode] = codes.size === 1 ? codes : [exitCodes.failed];
  const { error, index } = first;
  const why = `operation ${index + 1}: ${error.message ?? error.error}`;
  throw new CommandError(lineOf(`${failed.length} of ${results.length} operations failed; ${why}`), {
    exitCode: exitCode!,
  });
}
