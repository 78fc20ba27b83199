/** Orders the files of a run at random, by the seed TEST_ORDER. */
export default class RandomSequencer {
  sort<Test extends { path: string }>(tests: readonly Test[]): Test[] {
    let state = Number(process.env['TEST_ORDER']);
    const random = () => {
      // A linear congruential generator with the constants of Numerical Recipes.
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state;
    };
    return tests
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map((test) => ({ test, rank: random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ test }) => test);
  }

  allFailedTests<Test>(tests: readonly Test[]): readonly Test[] {
    return tests;
  }

  cacheResults(): void {}
}
