import { inspect } from 'node:util';
import { WaymarkError } from '../../src/index.ts';
import type { Outcome } from './steps.ts';

/** What must come of a step: sdks/README.md. */
export interface Expectation {
  result?: unknown;
  text?: string;
  nothing?: true;
  error?: {
    network?: true;
    status?: number;
    code?: string;
    reason?: string;
    issues?: string[];
    docs?: string;
    retryAfterSeconds?: number;
  };
}

/** Returns what differs from the expectation, or null. */
export function differenceOf(outcome: Outcome, expected: Expectation, apiKey: string): string | null {
  if (!('result' in outcome)) return errorDifference(outcome.error, expected.error, apiKey);
  const { result } = outcome;
  if (expected.error) return `the call succeeded: ${JSON.stringify(result)}`;
  if (expected.nothing) return result === undefined ? null : `there is a result: ${JSON.stringify(result)}`;
  if (expected.text !== undefined)
    return String(result).includes(expected.text) ? null : `${result}`.slice(0, 500);
  return expected.result === undefined ? null : valueDifference(result, expected.result, '');
}

function errorDifference(error: unknown, expected: Expectation['error'], apiKey: string): string | null {
  const shown = inspect(error, { depth: 10 });
  if (!expected) return shown;
  if (shown.includes(apiKey)) return 'the error shows the API key';
  if (expected.network) return error instanceof TypeError ? null : `an answer came: ${shown}`;
  if (!(error instanceof WaymarkError)) return shown;
  const { docs, issues, ...plain } = expected;
  const paths = error.issues.map(({ path }) => path);
  if (issues && [...issues].sort().join() !== paths.sort().join()) return `the issues are ${paths}`;
  if (docs && !(error.docs?.startsWith('http') && error.docs.endsWith(docs)))
    return `the docs are ${error.docs}`;
  return valueDifference({ ...error }, plain, '');
}

function valueDifference(actual: unknown, expected: unknown, path: string): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path} is no list`;
    if (actual.length !== expected.length) return `${path} has ${actual.length} items`;
    return firstDifference(expected.map((each, i) => valueDifference(actual[i], each, `${path}.${i}`)));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return `${path} is ${JSON.stringify(actual)}`;
    return firstDifference(
      Object.entries(expected).map(([name, each]) =>
        valueDifference((actual as Record<string, unknown>)[name], each, `${path}.${name}`),
      ),
    );
  }
  return actual === expected ? null : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

const firstDifference = (differences: (string | null)[]) => differences.find((each) => each !== null) ?? null;
