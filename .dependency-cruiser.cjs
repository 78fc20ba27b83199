/** Which folder may import which; STYLE.md says why. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-never-import-services',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|apps|dev|bench|tests)/' },
    },
    {
      name: 'contracts-stand-alone',
      severity: 'error',
      from: { path: '^libs/contracts/src/' },
      to: { path: '^libs/(?!contracts/)' },
    },
    {
      name: 'service-kit-flows-from-service-to-process',
      comment: 'service > runtime > store > (http, events) > jobs > (process, patches)',
      severity: 'error',
      from: { path: '^libs/service-kit/src/(http|events|jobs|process|patches)/' },
      to: { path: '^libs/service-kit/src/((service|runtime)\\.ts|store/)' },
    },
    {
      name: 'service-kit-http-and-events-know-only-jobs-and-process',
      severity: 'error',
      from: { path: '^libs/service-kit/src/(http|events|jobs)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^libs/service-kit/src/', pathNot: '^libs/service-kit/src/($1|jobs|process|patches)/' },
    },
    {
      name: 'service-kit-process-and-patches-know-no-other-folder',
      severity: 'error',
      from: { path: '^libs/service-kit/src/(process|patches)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^libs/service-kit/src/', pathNot: '^libs/service-kit/src/$1/' },
    },
    {
      name: 'gateway-never-loads-mongodb',
      severity: 'error',
      from: { path: '^services/gateway/src/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/mongodb/', reachable: true },
    },
    {
      name: 'only-stores-know-mongodb',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: ['/src/store/', '/src/store.ts$'] },
      to: { path: 'node_modules/mongodb/' },
    },
    {
      name: 'only-main-reads-the-process',
      severity: 'error',
      from: { path: '^services/', pathNot: ['main.ts$', '.test.ts$', '/test/'] },
      to: { path: '/run-main\\.ts$' },
    },
    {
      name: 'production-never-imports-tests',
      severity: 'error',
      from: { path: '^(libs|services)/[^/]+/src/', pathNot: ['^libs/testing/', '.test.ts$'] },
      to: { path: ['^libs/testing/', '.test.ts$', '/test/'] },
    },
    {
      name: 'console-features-never-import-each-other',
      severity: 'error',
      from: {
        path: '^apps/console/src/(auth|audit|decisions|insight|search|settings|transfer|webhooks|workflows)/',
      },
      to: {
        path: '^apps/console/src/',
        pathNot: '^apps/console/src/($1|inbox|threads|views|session|workspace|api|ui|texts)/',
      },
    },
    {
      name: 'console-shared-parts-import-foundations-only',
      severity: 'error',
      from: { path: '^apps/console/src/(inbox|threads|views)/' },
      to: { path: '^apps/console/src/', pathNot: '^apps/console/src/($1|session|workspace|api|ui|texts)/' },
    },
    {
      name: 'console-foundations-never-import-features',
      severity: 'error',
      from: { path: '^apps/console/src/(session|workspace|api|ui|texts)/' },
      to: { path: '^apps/console/src/', pathNot: '^apps/console/src/(session|workspace|api|ui|texts)/' },
    },
    {
      name: 'console-uses-the-public-api',
      severity: 'error',
      from: { path: '^apps/console/src/' },
      to: { path: '^(services|dev|bench|tests|libs/(?!(client|quality)/))' },
    },
    {
      name: 'cli-uses-what-services-offer-operators',
      severity: 'error',
      from: { path: '^apps/cli/src/', pathNot: '^apps/cli/src/commands/all\\.ts$' },
      to: { path: '^(services/[^/]+/src/(?!(schema|operator|madr)\\.ts$)|dev|bench|tests)' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The parser does not know `using`, which the tests of services have, and generators write files there.
    exclude: { path: '/dist/|^services/[^/]+/test/|^tests/sdks/generators/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['x-source', 'import', 'node'] },
  },
};
