/** The fields of Jest's result that this reporter reads. */
export interface RunResult {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that did not load, or failed outside of their tests. */
  numRuntimeErrorTestSuites: number;
}

/** Returns the line that closes a run. A file that failed to run counts as one failure. */
export function closingLine(result: RunResult): string {
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return `${result.numPassedTests} passed, ${failed} failed`;
}

/** Prints the closing line last, and fails a run in which no test ran. */
export default class ClosingLineReporter {
  #error: Error | undefined;

  onRunComplete(_contexts: unknown, result: RunResult): void {
    const ran = result.numPassedTests + result.numFailedTests + result.numRuntimeErrorTestSuites;
    if (ran === 0) this.#error = new Error('no test ran');
    // The global teardown and Jest's own warnings print after this call.
    process.once('exit', () => process.stdout.write(`${closingLine(result)}\n`));
  }

  getLastError(): Error | undefined {
    return this.#error;
  }
}
