import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findBackup, nameInSeries, writeManifest } from './manifest.ts';
import { openPlace, type Place } from './place.ts';
import { thinOut } from './thin-out.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-23T03:17:00Z');

let folder: string;
let series: Place;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-series-'));
  series = await openPlace(folder, {});
});
afterAll(() => rm(folder, { recursive: true }));

async function backup(daysAgo: number, isComplete = true): Promise<string> {
  const name = nameInSeries(NOW_MS - daysAgo * DAY_MS);
  const place = series.at(name);
  await place.write('accounts/users.bson.gz', Readable.from(['']));
  const taken_at = new Date(NOW_MS - daysAgo * DAY_MS).toISOString();
  if (isComplete) await writeManifest(place, { format: 1, taken_at, counts: {} });
  return name;
}

it('a place without a name is not the folder of the command', async () => {
  await expect(openPlace('', {})).rejects.toThrow('has no name');
});

describe('a series of backups', () => {
  it('keeps the newest complete ones, and what may still be written', async () => {
    const oldest = await backup(3);
    const interrupted = await backup(2, false);
    const kept = await backup(1.5);
    const running = await backup(0.5, false);
    const newest = await backup(0);
    await series.write('readme.txt', Readable.from(['not a backup']));
    // Of a clock that was ahead, or of somebody who wants to displace the others.
    const ahead = await backup(-1);
    expect((await findBackup(series, NOW_MS)).place.name).toBe(join(folder, newest));
    expect((await thinOut(series, { own: newest, keep: 2, nowMs: NOW_MS })).sort()).toEqual(
      [oldest, interrupted].sort(),
    );
    expect((await series.list()).sort()).toEqual([
      `${kept}/accounts/users.bson.gz`,
      `${kept}/manifest.json`,
      `${running}/accounts/users.bson.gz`,
      `${newest}/accounts/users.bson.gz`,
      `${newest}/manifest.json`,
      `${ahead}/accounts/users.bson.gz`,
      `${ahead}/manifest.json`,
      'readme.txt',
    ]);
  });

  it('is none without a complete backup', async () => {
    const place = await openPlace(join(folder, 'elsewhere'), {});
    await expect(findBackup(place, NOW_MS)).rejects.toThrow('is no whole backup: it has no manifest.json');
  });

  const manifest = { format: 1, taken_at: '2026-11-23T03:00:00.000Z', counts: { accounts: { users: 1 } } };
  it.each<[string, object | string]>([
    ['another format', { ...manifest, format: 7 }],
    ['a time that has not come', { ...manifest, taken_at: '2026-11-24T03:00:00.000Z' }],
    ['no time', { ...manifest, taken_at: 'zzz' }],
    ['a path as the name of a collection', { ...manifest, counts: { accounts: { 'x/../../y': 1 } } }],
    ['a path as the name of a database', { ...manifest, counts: { '../x': {} } }],
    ['control characters', { ...manifest, version: '\u001b[2J' }],
    ['no JSON', 'none'],
    ['two megabytes', 'x'.repeat(2 * 1024 * 1024)],
  ])('refuses a manifest with %s', async (name, content) => {
    const place = await openPlace(join(folder, 'hostile', name.replaceAll(' ', '-')), {});
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await place.write('manifest.json', Readable.from([text]));
    await expect(findBackup(place, NOW_MS)).rejects.toThrow(/manifest.json that/);
  });
});
