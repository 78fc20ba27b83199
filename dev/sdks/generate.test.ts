import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { CHART_SCHEMA, chartSchema } from '../chart-schema.ts';
import { TYPES, typesHead } from './client-types.ts';
import { generatedFiles } from './generators.ts';

const read = (path: string) => readFileSync(join(findRepositoryRoot(), path), 'utf8');

describe('npm run generate changes nothing in', () => {
  it.each(Object.entries({ ...generatedFiles(), [CHART_SCHEMA]: chartSchema() }))('%s', (path, content) => {
    expect(read(path)).toBe(content);
  });

  it.each([TYPES, ...Object.keys(generatedFiles())])('%s, which .gitattributes marks', (path) => {
    const [attribute] = execFileSync('git', ['check-attr', 'linguist-generated', path], { encoding: 'utf8' })
      .trim()
      .split(': ')
      .slice(-1);
    expect(attribute).toBe('set');
  });

  it(TYPES, () => {
    expect(read(TYPES).split('\n', 1)).toEqual([typesHead()]);
  });
});
