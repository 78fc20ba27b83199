import { writeFileSync } from 'node:fs';

/** The fields of Jest's result that this reporter reads. */
export interface RunResult {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that did not load, or failed outside of their tests. */
  numRuntimeErrorTestSuites: number;
  testResults: readonly {
    testFilePath: string;
    numPassingTests: number;
    numFailingTests: number;
    testExecError?: unknown;
  }[];
}

export interface Counts {
  passed: number;
  failed: number;
}

/** What a run leaves for the one that repeats its failed files. */
export interface Report extends Counts {
  failedFiles: (Counts & { file: string })[];
}

/** Returns the counts of a run and of each failed file. A file that failed to run counts as one failure. */
export function reportOf(result: RunResult): Report {
  const failedFiles = result.testResults.flatMap((file) => {
    const failed = file.numFailingTests + (file.testExecError ? 1 : 0);
    return failed > 0 ? [{ file: file.testFilePath, passed: file.numPassingTests, failed }] : [];
  });
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return { passed: result.numPassedTests, failed, failedFiles };
}

/**
 * Prints `N passed, N failed` last, and the line TEST_LEFT_OUT after it. Writes the report to the file
 * TEST_REPORT. Fails a run in which no test ran.
 */
export default class ClosingLineReporter {
  #error: Error | undefined;

  onRunComplete(_contexts: unknown, result: RunResult): void {
    const report = reportOf(result);
    if (report.passed + report.failed === 0) this.#error = new Error('no test ran');
    const { TEST_REPORT, TEST_LEFT_OUT } = process.env;
    if (TEST_REPORT) writeFileSync(TEST_REPORT, JSON.stringify(report));
    const lines = [
      `${report.passed} passed, ${report.failed} failed`,
      ...(TEST_LEFT_OUT ? [TEST_LEFT_OUT] : []),
    ];
    // The global teardown and Jest's own warnings print after this call.
    process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }

  getLastError(): Error | undefined {
    return this.#error;
  }
}
