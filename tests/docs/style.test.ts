import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

/** The rules of STYLE.md that a script can check. */
const COMMENT_COLUMNS = 110;
const FILES_PER_FOLDER = 20;

const root = findRepositoryRoot();
const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.cjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('client/src/schema.ts'));
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');

test('no comment is wider than the formatted code', () => {
  const wide = sources.flatMap((file) =>
    linesOf(file).flatMap((line, i) =>
      line.length > COMMENT_COLUMNS && /^\s*(\/\/|\*|\/\*)/.test(line) && !line.includes('biome-ignore')
        ? [`${file}:${i + 1}`]
        : [],
    ),
  );
  expect(wide).toEqual([]);
});

// The texts of the console are one file for each area and language.
test('no folder of libs, services and bench has more than twenty source files', () => {
  const counts = new Map<string, number>();
  for (const file of sources) {
    if (!/^(libs|services|bench|apps)\//.test(file) || /\.test\.ts$|\/test\/|\/src\/texts\//.test(file))
      continue;
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > FILES_PER_FOLDER)).toEqual([]);
});

test('a release has at most 25 lines in the changelog, of at most 120 characters', () => {
  const releases = linesOf('CHANGELOG.md').join('\n').split(/^## /m).slice(1);
  for (const release of releases) {
    const changes = release.split('\n').filter((line) => line.startsWith('- '));
    expect(changes.length).toBeLessThanOrEqual(25);
    for (const line of release.split('\n')) expect(line.startsWith('  ') ? line : '').toBe('');
    expect(changes.filter((line) => line.length > 120)).toEqual([]);
  }
});
