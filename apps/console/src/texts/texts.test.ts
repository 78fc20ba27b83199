import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { number, plural } from './format.ts';

const german: Record<string, object> = await import('./de/index.ts');
const MECHANISM = ['define-texts.ts', 'format.ts', 'language.ts', 'texts.test.ts'];
const files = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => name.endsWith('.ts') && !MECHANISM.includes(name),
);

/** Texts that are the same in German. */
const SAME = new Set([
  '',
  ...'Admin Waymark Hash Name Status Export Import URL Webhooks Workflow Workflows workflow Browser'.split(
    ' ',
  ),
  ...'Code Passkeys Free Pro Business Enterprise Tag Tags PostgreSQL Live Backlog Board'.split(' '),
]);

/** The texts of an area by path; texts with parameters are functions. */
function textsIn(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
}

describe.each(files)('%s', (file) => {
  it('has a German text for each English one', async () => {
    const module: Record<string, object> = await import(new URL(file, import.meta.url).href);
    const area = file.replace('.ts', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const english = textsIn(module[`${area}Texts`], area);
    const translated = new Map(textsIn(german[area], area));
    expect([...translated.keys()].sort()).toEqual(english.map(([path]) => path).sort());
    const copied = english.filter(([path, text]) => translated.get(path) === text && !SAME.has(String(text)));
    expect(copied).toEqual([]);
  });
});

describe('plural', () => {
  it('chooses the form of the number and formats the number', () => {
    const forms = { one: '# entry', other: '# entries' };
    expect([0, 1, 2, 1_000].map((count) => plural(count, forms))).toEqual([
      '0 entries',
      '1 entry',
      '2 entries',
      '1,000 entries',
    ]);
    expect(number(0.5, { style: 'percent' })).toBe('50%');
  });
});
