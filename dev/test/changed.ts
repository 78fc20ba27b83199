import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { suites } from './suites.ts';

/**
 * The services and apps, apart from the gateway, whose changes a file of `tests` can notice. A file that is
 * not listed notices all.
 */
const servicesOf: Record<string, readonly string[]> = {
  apply: ['accounts', 'webhooks', 'cli'],
  'audit-verify': ['audit', 'cli'],
  calendar: ['accounts', 'decisions'],
  cli: ['cli'],
  client: ['decisions'],
  'docs/docs-site': ['docs'],
  'docs/error-pages': ['docs'],
  'docs/links': ['docs'],
  'docs/recipes': [],
  events: ['accounts', 'audit', 'workflows'],
  listen: ['accounts', 'webhooks', 'cli'],
  mcp: ['audit', 'decisions', 'workflows'],
  openapi: [],
  'quality-model': ['accounts', 'decisions'],
  'single-sign-on': ['accounts', 'decisions'],
  version: [],
};

const root = findRepositoryRoot();
const linesOf = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\n').filter(Boolean);

/** Returns the tests of `npm test` that changes since a commit can break; by default, all unpushed ones. */
export function filesToTest(since: string): string[] {
  const changed = changedFiles(since || unpushedSince());
  return [...new Set([...relatedTests(changed), ...productTests(changed)])].map((file) => join(root, file));
}

function changedFiles(since: string): string[] {
  const untracked = linesOf('git', 'ls-files', '--others', '--exclude-standard');
  return [...linesOf('git', 'diff', '--name-only', '--diff-filter=d', since), ...untracked];
}

/** The last commit that the upstream branch has too; HEAD without an upstream branch. */
function unpushedSince(): string {
  try {
    return linesOf('git', 'merge-base', 'HEAD', '@{upstream}')[0]!;
  } catch {
    return 'HEAD';
  }
}

/** The tests of libs, services, apps and dev that import a changed file, directly or not. */
function relatedTests(changed: readonly string[]): string[] {
  const sources = changed.filter((file) => /^(libs|services|apps|dev)\/.*\.(ts|tsx|mjs)$/.test(file));
  if (sources.length === 0) return [];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = ['--conditions=x-source', jest, '--listTests', '--findRelatedTests', ...sources];
  const tests = linesOf(process.execPath, ...args).map((file) => file.slice(root.length + 1));
  // The product's tests import all services to start them: the table above is more exact.
  return tests.filter((file) => !file.startsWith('tests/'));
}

function productTests(changed: readonly string[]): string[] {
  const services = new Set(
    changed.flatMap((file) => /^(?:services|apps)\/(\w+)\/src\//.exec(file)?.[1] ?? []),
  );
  const isConfined = (file: string) => /^(services|apps)\/|^libs\/\w+\/test\/|^tests\/|\.md$/.test(file);
  const isAll = changed.some((file) => !isConfined(file) || file.startsWith('tests/support/'));
  return suites.fast.product
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => {
      if (isAll || changed.includes(file)) return true;
      if (file.startsWith('tests/docs/') && changed.some((one) => one.endsWith('.md'))) return true;
      const own = servicesOf[file.slice('tests/'.length, -'.test.ts'.length)];
      return own ? ['gateway', ...own].some((one) => services.has(one)) : services.size > 0;
    });
}
