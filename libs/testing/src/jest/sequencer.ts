import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The size of a file and of those in its folder that it imports, which may have its tests. */
function bytesOf(path: string): number {
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/ from '(\.\/[^/']+)'/g)].map(([, name]) => join(dirname(path), name!));
  const sizes = imported.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, text.length);
}

/** Returns numbers that depend on a seed: a linear congruential generator, constants of Numerical Recipes. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state;
  };
}

/**
 * Orders the files of a run: those with most code first, so that none of them ends long after all others.
 * With TEST_ORDER, at random by that seed.
 */
export default class Sequencer {
  sort<Test extends { path: string }>(tests: readonly Test[]): Test[] {
    const seed = process.env['TEST_ORDER'];
    const rank = seed === undefined ? ({ path }: Test) => -bytesOf(path) : randomBy(Number(seed));
    return tests
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ test }) => test);
  }

  allFailedTests<Test>(tests: readonly Test[]): readonly Test[] {
    return tests;
  }

  cacheResults(): void {}
}
