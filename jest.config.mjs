import { findChromium } from './tests/e2e/support/find-chromium.ts';

const hasBrowser = findChromium(process.env) !== null;
if (!hasBrowser) console.error('Chromium is not installed: the browser tests of the console are skipped.');

const common = {
  testEnvironment: 'node',
  // Node loads the tests and strips the types itself: no transform.
  testRunner: '<rootDir>/libs/testing/src/jest/run-test-file.ts',
  transform: {},
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['/dist/', '/.waymark/'],
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
};

/** The global set-up starts the stores once, and one product if a file that shares it runs. */
const services = {
  ...common,
  testMatch: ['<rootDir>/{libs,services,dev,apps}/**/*.test.ts', '<rootDir>/tests/deploy/**/*.test.ts'],
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
};
const product = {
  ...common,
  roots: ['<rootDir>/tests'],
  testMatch: ['<rootDir>/tests/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tests/(crash|clusters|faults|openapi|rolling|sdks)/'],
  globalSetup: '<rootDir>/tests/support/global-setup.ts',
};
const browser = {
  ...product,
  roots: ['<rootDir>/tests/e2e'],
  testMatch: ['<rootDir>/tests/e2e/*.test.ts'],
};

export default {
  projects: [services, product, ...(hasBrowser ? [browser] : [])],
  reporters: ['default', '<rootDir>/libs/testing/src/jest/closing-line-reporter.ts'],
  maxWorkers: 2,
  // For a test that hangs. A busy machine can need a minute where an idle one needs a second.
  testTimeout: 180_000,
};
