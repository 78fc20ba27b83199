import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

const read = (file: string) => readFileSync(join(findRepositoryRoot(), file), 'utf8');

it.each(['libs/client', 'apps/cli'])('the manifest of %s says where the package comes from', (directory) => {
  const manifest = JSON.parse(read(`${directory}/package.json`));
  expect(manifest).toMatchObject({
    ...{ description: expect.any(String), author: expect.any(String), license: 'Apache-2.0' },
    ...{ homepage: expect.stringMatching(/^https:/), bugs: expect.stringMatching(/^https:/) },
    repository: { type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/), directory },
  });
  expect(manifest.keywords.length).toBeGreaterThan(2);
});

it('the manifest of the SDK for Python does, too', () => {
  const manifest = read('sdks/python/pyproject.toml');
  for (const key of ['Homepage', 'Documentation', 'Issues', 'Changelog'])
    expect(manifest).toMatch(new RegExp(`^${key} = "https://`, 'm'));
  expect(manifest).toMatch(/^authors = \[.+\]$/m);
  expect(manifest).toMatch(/^keywords = \[.+\]$/m);
});

it('@waymark/client is for CommonJS, too', () => {
  const program = "console.log(typeof require('@waymark/client').createWaymark)";
  const args = ['--conditions=x-source', '--input-type=commonjs', '--eval', program];
  const cwd = join(findRepositoryRoot(), 'libs/client');
  expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })).toBe('function\n');
});
