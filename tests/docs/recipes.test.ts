import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

const root = findRepositoryRoot();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The recipe under this heading in ARCHITECTURE.md: its numbered steps and the text below them. */
function recipe(heading: string) {
  const text = read('ARCHITECTURE.md').split(`### ${heading}\n`)[1]!.split(/\n##/)[0]!;
  const filesIn = (part: string) => [...part.matchAll(/\]\(([\w./-]+\.\w+)\)/g)].map(([, path]) => path!);
  const [steps = '', further = ''] = text.split('\nThen run');
  return { steps: filesIn(steps), further: filesIn(further) };
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test'].includes(entry.name) ? [] : sourcesIn(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** `npm run generate` writes this file. */
const GENERATED = 'libs/client/src/schema.ts';

describe('the recipe for a field of decisions', () => {
  const { steps, further } = recipe('Add a field to decisions');

  it('lists at most six files to edit', () => {
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.length).toBeLessThanOrEqual(6);
  });

  it('lists every source file that mentions a field', () => {
    const sources = ['libs', 'services', 'apps'].flatMap(sourcesIn).filter((path) => path !== GENERATED);
    const mentioning = sources.filter((path) => /\bdecided_by\b|\bdecidedBy\b/.test(read(path)));
    expect(mentioning).toContain('libs/contracts/src/resources/decision.ts');
    expect(mentioning.filter((path) => ![...steps, ...further].includes(path))).toEqual([]);
  });
});

describe('the recipe for an event type', () => {
  it('lists the only contract file that mentions a type', () => {
    const mentioning = sourcesIn('libs').filter(
      (path) => path !== GENERATED && read(path).includes("'calendar_feed.created'"),
    );
    expect(mentioning).toEqual(['libs/contracts/src/events/events.ts']);
    expect(recipe('Add an event type').steps).toContain(mentioning[0]);
  });
});
