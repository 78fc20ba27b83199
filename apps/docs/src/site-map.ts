/** The Markdown files of the site, by section and address. */
export const sources: Record<string, Record<string, string>> = {
  Start: {
    '/docs': 'docs/guide/README.md',
    ...guides('quickstart', 'console'),
  },
  Guides: {
    ...guides('authentication', 'rate-limits', 'idempotency', 'pagination', 'errors', 'webhooks'),
    '/docs/receivers': 'docs/receivers/README.md',
    '/docs/mirrors': 'docs/mirrors/README.md',
    ...guides('sync', 'score', 'approvals', 'reviews', 'notifications', 'calibration'),
    '/docs/mcp': 'docs/mcp.md',
    '/docs/cli': 'apps/cli/README.md',
    '/docs/sdks': 'sdks/README.md',
    '/docs/sdks/typescript': 'libs/client/README.md',
    '/docs/sdks/python': 'sdks/python/README.md',
    '/docs/sdks/go': 'sdks/go/README.md',
  },
  Operate: {
    '/docs/operating': 'docs/operating.md',
    ...operating('stores', 'images', 'install-on-kubernetes'),
    '/docs/operating/chart': 'deploy/helm/waymark/README.md',
    ...operating('install-on-one-machine', 'small-installations', 'install-without-internet', 'sizing'),
    ...operating('sign-up', 'configuration', 'chart-values', 'kubernetes', 'tls', 'network-policies'),
    ...operating(
      'private-webhooks',
      'e-mail',
      'retention',
      'commands',
      'accounts',
      'rotating-secrets',
      'erasing-a-person',
    ),
    ...operating('upgrade', 'migrations', 'clusters', 'regions', 'doctor', 'alerts', 'symptoms', 'metrics'),
    ...operating('traces', 'logs', 'clocks', 'backup', 'restore', 'disaster-recovery', 'tested'),
    '/docs/performance': 'docs/performance.md',
    '/docs/security': 'SECURITY.md',
    '/docs/security/asvs': 'docs/security/asvs.md',
  },
  Changes: { '/docs/changelog': 'CHANGELOG.md', '/docs/releasing': 'docs/releasing.md' },
};

/** The other files of the site, by name below /docs. */
export const assets: Record<string, string> = {
  'docs.css': 'apps/docs/browser/docs.css',
  'copy.js': 'apps/docs/browser/copy.js',
  'docs.js': 'apps/docs/browser/docs.js',
  'try.js': 'apps/docs/browser/try.js',
  'minisearch.js': 'node_modules/minisearch/dist/es/index.js',
};

/** The pages of docs/guide with these names. */
function guides(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`/docs/${name}`, `docs/guide/${name}.md`]));
}

/** The pages of docs/operating with these names. */
function operating(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`/docs/operating/${name}`, `docs/operating/${name}.md`]));
}
