import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

const root = findRepositoryRoot();
const text = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8');
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (.*) \|$/gm)].map(([, id, rest]) => {
  const [level, , verdict = '', tests] = rest!.split(' | ');
  return { id: id!, level, verdict, tests: tests?.trim() };
});
const begin = (words: string) => rows.filter(({ verdict }) => verdict.startsWith(`**${words}:** `));
const fails = begin('Does not hold');
const foreign = begin('Does not apply');
const held = rows.filter((row) => !fails.includes(row) && !foreign.includes(row));

test('the table of ASVS has each requirement once, and its first lines count them', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  // Of the standard, version 5.0.0.
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
  const counts = `Of ${rows.length} requirements, ${held.length} hold, ${fails.length} do not hold, and ${foreign.length} do not apply.`;
  expect(text).toContain(counts);
});

test('each requirement that holds names a test, or says that there is none', () => {
  const unnamed = held.filter(({ tests }) => tests !== 'no test' && !/^`[\w./-]+\.ts`/.test(tests ?? ''));
  expect(unnamed.map(({ id }) => id)).toEqual([]);
});

test('the files that it names exist', () => {
  const named = rows.flatMap(({ tests }) =>
    [...(tests ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
