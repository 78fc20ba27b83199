import { findChromium } from './tests/e2e/support/find-chromium.ts';

const hasBrowser = findChromium(process.env) !== null;
if (!hasBrowser) console.error('No Chromium here: the tests of the console in a browser are left out.');

/** Node strips the types itself: no transform. */
const common = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['x-source', 'node', 'node-addons'] },
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['/dist/', '/.waymark/'],
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
};

/** Stores start once, in the global set-up; for files that join a product one product as well, and only when such a file runs. */
const services = {
  ...common,
  testMatch: ['<rootDir>/{libs,services,dev,apps}/**/*.test.ts', '<rootDir>/tests/deploy/*.test.ts'],
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
};
const product = {
  ...common,
  roots: ['<rootDir>/tests'],
  testMatch: ['<rootDir>/tests/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tests/(crash|clusters)/'],
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
  // Native modules of a file that is over stay in memory: past this a worker begins anew, else its collector takes the machine.
  workerIdleMemoryLimit: '1GB',
  // Of a test that hangs. A busy machine takes a minute for what else takes a second, and that is no fault of the product.
  testTimeout: 180_000,
};
