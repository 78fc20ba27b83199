import { version } from '@waymark/service-kit/process';
import { BSON, MongoClient } from 'mongodb';
import type { BackupSources } from '../backup.ts';
import { writeDocuments } from '../documents.ts';
import { findBackup, nameInSeries, writeManifest } from '../manifest.ts';
import type { Place } from '../place.ts';
import { timeOfPosition } from '../position.ts';
import { assertReplicaSet, changesIn, nextRange } from './read-oplog.ts';
import { CHANGES, newestSegment, OPLOG, type Range, type SegmentManifest } from './segments.ts';

/**
 * Writes what changed since the newest segment of a series, or since its newest backup, to a new segment. The
 * first document of its file repeats the ranges, which in the manifest are not encrypted. Returns the time up
 * to which the changes are kept. Throws when there is no backup, or the oplog has lost changes since.
 */
export async function backUpOplog(
  sources: BackupSources,
  series: Place,
  { recipients = [], onLine }: { recipients?: readonly string[]; onLine: (line: string) => void },
): Promise<string> {
  const nowMs = Date.now();
  const { manifest } = await findBackup(series, nowMs);
  const newest = await newestSegment(series);
  const urls = new Set(Object.values(sources).map(({ url }) => url));
  const clients = new Map([...urls].map((url) => [url, new MongoClient(url)]));
  try {
    for (const client of clients.values()) await assertReplicaSet(client);
    const opened = Object.entries(sources).map(([name, { url, database }]) => {
      return { name, db: clients.get(url)!.db(database) };
    });
    const ranges: Record<string, Range> = {};
    for (const { name, db } of opened) {
      const last = newest?.ranges[name];
      const continued = last && { id: last.id, at: last.to };
      ranges[name] = await nextRange(db, name, [continued, manifest.oplog?.[name]]);
      const { from } = ranges[name];
      if (last && from > last.to)
        onLine(`${name}: the changes from ${timeOfPosition(last.to)} to ${timeOfPosition(from)} are lost`);
    }
    let changes = 0;
    async function* documents() {
      yield BSON.serialize({ ranges });
      for (const { name, db } of opened) {
        for await (const change of changesIn(db, name, ranges[name]!)) {
          changes += 1;
          if (change.op === 'other')
            onLine(`${name}: a restore cannot repeat ${change.collection}: make a full backup`);
          yield BSON.serialize(change);
        }
      }
    }
    const place = series.at(OPLOG).at(nameInSeries(nowMs));
    await writeDocuments(place, CHANGES, documents(), recipients);
    const isEncrypted = recipients.length > 0;
    const segment: SegmentManifest = {
      format: 1,
      version,
      ...(isEncrypted && { encryption: 'age' }),
      changes,
      ranges,
    };
    await writeManifest(place, segment);
    const [earliest] = Object.values(ranges)
      .map(({ to }) => to)
      .sort();
    onLine(`${place.name}: ${changes} changes`);
    return timeOfPosition(earliest!);
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
}
