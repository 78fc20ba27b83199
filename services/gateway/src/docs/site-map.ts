/** The Markdown files of the site, by section and address. Without imports: deploy/docker/assemble.mjs reads it. */
export const sources: Record<string, Record<string, string>> = {
  Start: {
    '/docs': 'docs/guide/README.md',
    '/docs/quickstart': 'docs/guide/quickstart.md',
  },
  Guides: {
    '/docs/authentication': 'docs/guide/authentication.md',
    '/docs/rate-limits': 'docs/guide/rate-limits.md',
    '/docs/idempotency': 'docs/guide/idempotency.md',
    '/docs/pagination': 'docs/guide/pagination.md',
    '/docs/errors': 'docs/guide/errors.md',
    '/docs/webhooks': 'docs/guide/webhooks.md',
    '/docs/receivers': 'docs/receivers/README.md',
    '/docs/sync': 'docs/guide/sync.md',
    '/docs/calibration': 'docs/guide/calibration.md',
    '/docs/mcp': 'docs/mcp.md',
    '/docs/cli': 'apps/cli/README.md',
  },
  Operate: {
    '/docs/operating': 'docs/operating.md',
    '/docs/operating/kubernetes': 'docs/operating/kubernetes.md',
    '/docs/operating/chart': 'deploy/helm/waymark/README.md',
    '/docs/operating/small-installations': 'docs/operating/small-installations.md',
    '/docs/operating/configuration': 'docs/operating/configuration.md',
    '/docs/operating/accounts-and-secrets': 'docs/operating/accounts-and-secrets.md',
    '/docs/operating/tls': 'docs/operating/tls.md',
    '/docs/operating/backup': 'docs/operating/backup.md',
    '/docs/operating/disaster-recovery': 'docs/operating/disaster-recovery.md',
    '/docs/operating/migrations': 'docs/operating/migrations.md',
    '/docs/operating/retention': 'docs/operating/retention.md',
    '/docs/operating/symptoms': 'docs/operating/symptoms.md',
    '/docs/operating/metrics': 'docs/operating/metrics.md',
    '/docs/operating/logs': 'docs/operating/logs.md',
    '/docs/operating/traces': 'docs/operating/traces.md',
    '/docs/operating/clusters': 'docs/operating/clusters.md',
    '/docs/operating/clocks': 'docs/operating/clocks.md',
    '/docs/operating/regions': 'docs/operating/regions.md',
    '/docs/performance': 'docs/performance.md',
    '/docs/security': 'SECURITY.md',
  },
  Changes: {
    '/docs/changelog': 'CHANGELOG.md',
    '/docs/releasing': 'docs/releasing.md',
  },
};

/** The other files of the site, by name below /docs. An image has them under these names. */
export const assets: Record<string, string> = {
  'docs.css': 'services/gateway/browser/docs.css',
  'docs.js': 'services/gateway/browser/docs.js',
  'minisearch.js': 'node_modules/minisearch/dist/es/index.js',
  'reference.js': 'node_modules/@scalar/api-reference/dist/browser/standalone.js',
};
