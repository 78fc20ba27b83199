import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

interface Package {
  link?: boolean;
  integrity?: string;
  resolved?: string;
}

const read = (...path: string[]) => readFileSync(join(findRepositoryRoot(), ...path), 'utf8');

describe.each(['.', 'tools', 'tests/sdks/generators'])('the packages of %s', (folder) => {
  it('all have a checksum, also those of other platforms, and an address, for which npm would ask', () => {
    const { packages } = JSON.parse(read(folder, 'package-lock.json')) as {
      packages: Record<string, Package>;
    };
    const downloaded = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    const lacking = downloaded.filter(([, { integrity, resolved }]) => !integrity || !resolved);
    expect(lacking.map(([path]) => path)).toEqual([]);
  });
});

it('the tools run no scripts at installation, of which one is telemetry', () => {
  expect(read('tools', '.npmrc')).toContain('ignore-scripts=true');
});
