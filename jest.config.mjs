import { findChromium } from './tests/e2e/find-chromium.ts';

const hasBrowser = findChromium(process.env) !== null;
if (!hasBrowser) console.error('No Chromium here: the tests of the console in a browser are left out.');

/** Node strips the types itself: no transform. Stores start once, in the global set-up. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['x-source', 'node', 'node-addons'] },
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  testMatch: ['<rootDir>/{libs,services,dev,apps,tests}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(hasBrowser ? [] : ['/tests/e2e/'])],
  modulePathIgnorePatterns: ['/dist/', '/.waymark/'],
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
  reporters: ['default', '<rootDir>/libs/testing/src/closing-line-reporter.ts'],
  maxWorkers: 2,
  // Native modules of a file that is over stay in memory: past this a worker begins anew, else its collector takes the machine.
  workerIdleMemoryLimit: '1GB',
  // A busy machine needs long to start the whole product in a hook; what is awaited within a test has limits of its own.
  testTimeout: 60_000,
};
