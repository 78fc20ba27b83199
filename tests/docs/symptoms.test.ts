import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operationList, services } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { unknownCommand } from '../deploy/support/unknown-command.ts';

const docs = join(findRepositoryRoot(), 'docs');
const pages = ['operating.md', ...readdirSync(join(docs, 'operating')).map((name) => `operating/${name}`)];
const textOf = (page: string) => readFileSync(join(docs, page), 'utf8');

test.each(pages)('%s names only commands of waymark that exist, with options that they have', (page) => {
  for (const [, text = ''] of textOf(page).matchAll(/`waymark ([a-z][^`]*)`/g)) {
    expect([text, unknownCommand(text.replaceAll('\\|', ' ').split(/[\s[\]]+/))]).toEqual([text, null]);
  }
});

test('the page of symptoms names operations and components that exist', () => {
  const text = textOf('operating/symptoms.md');
  const operations = [...text.matchAll(/`(GET|POST) \/v1(\/[^`]*)`/g)].map(([, method, path]) => [
    method,
    path,
  ]);
  expect(operations.length).toBeGreaterThan(1);
  for (const [method, path] of operations)
    expect(operationList.map((one) => `${one.method} ${one.path}`)).toContain(`${method} ${path}`);
  const named = [...text.matchAll(/(?:deploy\/waymark-|component=)([a-z]+)/g)].map(([, name]) => name);
  const components = [...Object.keys(services), 'single'];
  expect(named.filter((name) => !components.includes(name!))).toEqual([]);
});
