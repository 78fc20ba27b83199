const { options } = require('./.dependency-cruiser.cjs');

/**
 * Imports between folders have one direction. Tests are left out.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-between-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(libs|services|apps)/[^/]+/src' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|\\.test\\.ts$` } },
};
