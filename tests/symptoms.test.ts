import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operationList, services } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { createProgram } from '../apps/cli/src/program.ts';

const docs = join(findRepositoryRoot(), 'docs');
const pages = ['operating.md', ...readdirSync(join(docs, 'operating')).map((name) => `operating/${name}`)];
const textOf = (page: string) => readFileSync(join(docs, page), 'utf8');
type Command = ReturnType<typeof createProgram>;
const program = createProgram({ env: {}, out: () => undefined, error: () => undefined });

/** Returns the command that the words name, and the words after it. */
function resolve(words: readonly string[], command: Command = program): [Command, readonly string[]] {
  const next = command.commands.find((one) => one.name() === words[0]);
  return next ? resolve(words.slice(1), next) : [command, words];
}

test.each(pages)('%s names only commands of waymark that exist, with options that they have', (page) => {
  for (const [, text = ''] of textOf(page).matchAll(/`waymark ([a-z][^`]*)`/g)) {
    const [command, rest] = resolve(text.replaceAll('\\|', ' ').split(/[\s[\]]+/));
    const isKnown =
      command !== program && (command.registeredArguments.length > 0 || !/^\w/.test(rest[0] ?? ''));
    expect([text, isKnown]).toEqual([text, true]);
    const options = command.options.map(({ long }) => long);
    const flags = rest.filter((word) => word.startsWith('--'));
    expect([text, flags.filter((flag) => !options.includes(flag))]).toEqual([text, []]);
  }
});

test('the page of symptoms names operations and services that exist', () => {
  const text = textOf('operating/symptoms.md');
  const operations = [...text.matchAll(/`(GET|POST) \/v1(\/[^`]*)`/g)].map(([, method, path]) => [
    method,
    path,
  ]);
  expect(operations.length).toBeGreaterThan(1);
  for (const [method, path] of operations)
    expect(operationList.map((one) => `${one.method} ${one.path}`)).toContain(`${method} ${path}`);
  const named = [...text.matchAll(/(?:deploy\/waymark-|component=)([a-z]+)/g)].map(([, name]) => name);
  expect(named.filter((name) => !(name! in services))).toEqual([]);
});
