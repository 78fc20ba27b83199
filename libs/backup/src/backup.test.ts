import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { restore } from './backup.ts';
import { writeManifest } from './manifest.ts';
import { openPlace } from './place.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-damaged-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a damaged file of a backup', () => {
  it.each([
    ['a document without a length', Buffer.alloc(8), 'is not BSON'],
    ['a document that claims two gigabytes', Buffer.from([0xff, 0xff, 0xff, 0x7f, 0, 0]), 'is not BSON'],
    ['half a document', Buffer.from([9, 0, 0, 0, 0, 0]), 'ends inside a document'],
  ])('is refused: %s', async (_, bytes, message) => {
    const place = await openPlace(await mkdtemp(join(folder, 'damaged-')), {});
    await place.write('transfer/broken.bson.gz', Readable.from([gzipSync(bytes)]));
    const counts = { transfer: { broken: 1 } };
    await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', counts });
    const target = { transfer: { url: String(process.env['MONGODB_URL']), database: `t${newId()}` } };
    await expect(restore(place, target)).rejects.toThrow(message);
  });
});

it.each(['/proc/waymark/x', '/dev/null/x'])('a backup to %s fails at once', async (name) => {
  const place = await openPlace(name, {});
  await expect(place.write('a/b', Readable.from(['x']))).rejects.toThrow(/^(ENOENT|ENOTDIR|EPERM|EACCES)/);
});
