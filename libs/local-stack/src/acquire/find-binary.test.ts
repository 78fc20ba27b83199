import { describe, expect, it } from '@jest/globals';
import { findOnPath, isAtLeast, versionOf } from './find-binary.ts';

describe('findOnPath', () => {
  it('finds an executable, and returns undefined for a missing one', () => {
    expect(findOnPath('sh', '/nowhere:/bin')).toBe('/bin/sh');
    expect(findOnPath('no-such-server')).toBeUndefined();
  });
});

describe('versionOf', () => {
  it('reads the version of a program', async () => {
    const [major] = await versionOf(process.execPath);
    expect(major).toBe(Number(process.versions.node.split('.')[0]));
  });

  it('throws when a program does not run', async () => {
    await expect(versionOf('/bin/false')).rejects.toThrow('/bin/false --version');
  });
});

describe('isAtLeast', () => {
  it.each([
    [[6, 0], [6, 0], true],
    [[7, 0], [6, 2], true],
    [[6, 1], [6, 2], false],
    [[5, 9], [6, 0], false],
    [[2, 10], [2, 9], true],
  ] as const)('%j against %j is %s', (version, least, expected) => {
    expect(isAtLeast(version, least)).toBe(expected);
  });
});
