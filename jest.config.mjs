/** Node strips the types itself: no transform. Stores start once, in the global set-up. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['x-source', 'node', 'node-addons'] },
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  testMatch: ['<rootDir>/{libs,services,dev,apps,tests}/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/', '/.waymark/'],
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
  reporters: ['default', '<rootDir>/libs/testing/src/closing-line-reporter.ts'],
  maxWorkers: 2,
  testTimeout: 30_000,
};
