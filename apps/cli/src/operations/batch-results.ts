import type { BatchResults } from '@waymark/contracts';
import { exitCodeOf } from '../call-failure.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { lineOf } from '../output/cell.ts';

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
