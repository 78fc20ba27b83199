import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { oneAtATime } from './one-at-a-time.mjs';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = testFolder();
  lock = join(folder, 'lock');
});

describe('oneAtATime', () => {
  it('lets one work while the others wait, and leaves nothing behind', async () => {
    let working = 0;
    let most = 0;
    const waits: number[] = [];
    const work = async (n: number) => {
      working += 1;
      most = Math.max(most, working);
      await new Promise(setImmediate);
      expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
      working -= 1;
      return n;
    };
    const all = [1, 2, 3].map((n) =>
      oneAtATime(
        lock,
        () => work(n),
        () => waits.push(n),
      ),
    );
    expect(await Promise.all(all)).toEqual([1, 2, 3]);
    expect(most).toBe(1);
    expect(waits).toEqual([2, 3]);
    expect(existsSync(lock)).toBe(false);
  });

  it('gives the place up when the work fails', async () => {
    const fail = () => Promise.reject(new Error('no network'));
    await expect(oneAtATime(lock, fail)).rejects.toThrow('no network');
    await expect(oneAtATime(lock, async () => 'done')).resolves.toBe('done');
  });

  it('takes over from a process that has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock, String(pid));
    await expect(oneAtATime(lock, async () => 'done')).resolves.toBe('done');
  });

  it('takes over from who has been silent for long, though a process has that id: another container’s had it', async () => {
    writeFileSync(lock, String(process.pid));
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    await expect(oneAtATime(lock, async () => 'done')).resolves.toBe('done');
  });
});
