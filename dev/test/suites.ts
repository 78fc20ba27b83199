import { join } from 'node:path';
import { patience } from '../../libs/testing/src/patience.ts';

const JEST = '<rootDir>/libs/testing/src/jest';

interface Suite {
  /** What the suite tests, for the line that ends `npm test`. */
  about: string;
  /** Files that need the stores. */
  files?: readonly string[];
  /** Files that share one running product. */
  product?: readonly string[];
  /** Default 1. */
  workers?: number;
  /** The limit for a test that hangs, on a quiet machine of two cores. Default 15 minutes. */
  timeoutMs?: number;
}

const packages = '{libs,services,apps,dev}/**';

/**
 * The suites: `fast` is `npm test`, every other one is `npm run test:<name>`. `npm run test:all` runs them in
 * this order.
 */
export const suites = {
  fast: {
    about: 'units, services, and the product behind its gateway',
    files: [`${packages}/*.test.ts`],
    product: ['tests/*.test.ts', 'tests/{docs,operations}/*.test.ts'],
    // A worker waits half of its time for the stores.
    workers: 3,
    timeoutMs: 180_000,
  },
  console: { about: 'browser', product: ['tests/e2e/*.test.ts'], workers: 2 },
  long: {
    about: 'backup, restore, overload',
    files: [`${packages}/*.long.ts`],
    product: ['tests/**/*.long.ts'],
  },
  deploy: { about: 'chart, images, releases', files: ['tests/deploy/**/*.test.ts'] },
  rolling: { about: 'upgrade', files: ['tests/rolling/*.rolling.ts'] },
  crash: { about: 'kill -9', files: ['tests/crash/*.crash.ts'] },
  faults: { about: 'drawn faults', files: ['tests/faults/*.fault.ts'] },
  openapi: { about: 'Schemathesis', files: ['tests/openapi/*.schemathesis.ts'] },
  sdks: { about: 'Python, Go, TypeScript', product: ['tests/sdks/*.sdk.ts'] },
  clusters: { about: 'lost nodes', files: ['tests/clusters/*.cluster.ts'] },
} as const satisfies Record<string, Suite>;

export type SuiteName = keyof typeof suites;

/** Returns Jest's configuration for a suite. */
export function jestConfigOf(name: SuiteName) {
  const { files, product, workers = 1, timeoutMs = 900_000 }: Suite = suites[name];
  const project = (patterns: readonly string[], globalSetup: string) => ({
    testEnvironment: 'node',
    // Node loads the tests and strips the types itself: no transform.
    testRunner: `${JEST}/run-test-file.ts`,
    resolver: `${JEST}/source-resolver.cjs`,
    transform: {},
    moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json', 'node'],
    modulePathIgnorePatterns: ['/dist/', '/.waymark/'],
    testMatch: patterns.map((pattern) => join('<rootDir>', pattern)),
    globalSetup,
    globalTeardown: `${JEST}/global-teardown.ts`,
  });
  return {
    projects: [
      ...(files ? [project(files, `${JEST}/global-setup.ts`)] : []),
      ...(product ? [project(product, '<rootDir>/tests/support/global-setup.ts')] : []),
    ],
    testSequencer: `${JEST}/sequencer.ts`,
    reporters: ['default', `${JEST}/closing-line-reporter.ts`],
    maxWorkers: workers,
    testTimeout: patience(timeoutMs),
  };
}
