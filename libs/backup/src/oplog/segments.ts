import { z } from 'zod';
import {
  completeIn,
  Database,
  type Manifest,
  readJson,
  timeOfBackup,
  timeOfName,
  Version,
} from '../manifest.ts';
import type { Place } from '../place.ts';
import { Position, timeOfPosition } from '../position.ts';

/** The folder of a series that has the changes since its backups, as segments named by their time. */
export const OPLOG = 'oplog';
/** The file of a segment. */
export const CHANGES = 'changes';
/** The clocks that name segments and backups may differ by this. */
const CLOCKS_MS = 3_600_000;

/** The changes of a database after `from`, up to and including `to`; `id` as in the manifest of a backup. */
const Range = z.strictObject({ id: z.uuid(), from: Position, to: Position });
export type Range = z.infer<typeof Range>;

const SegmentManifest = z.strictObject({
  format: z.literal(1),
  version: Version,
  encryption: z.literal('age').optional(),
  /** The number of changes, to detect a truncated file. */
  changes: z.number().int().min(0),
  ranges: z.record(Database, Range),
});
export type SegmentManifest = z.infer<typeof SegmentManifest>;
export type Segment = SegmentManifest & { place: Place };

/** A segment that is named by an earlier time has nothing that is missing in this backup. */
export const earliestSegmentMs = (backup: Manifest) => Date.parse(timeOfBackup(backup)) - CLOCKS_MS;

const segmentNames = async (series: Place) => completeIn(await series.at(OPLOG).list(), Date.now());

async function readSegment(series: Place, name: string): Promise<Segment> {
  const place = series.at(OPLOG).at(name);
  return { ...(await readJson(place, SegmentManifest)), place };
}

/** Returns null before the first. */
export async function newestSegment(series: Place): Promise<Segment | null> {
  const name = (await segmentNames(series)).at(-1);
  return name === undefined ? null : readSegment(series, name);
}

/**
 * Returns the segments that lead without a gap from a backup to a position, for these databases. Throws when
 * there are none.
 */
export async function segmentsUntil(
  series: Place,
  backup: Manifest,
  databases: readonly string[],
  until: string,
): Promise<Segment[]> {
  const { oplog = {} } = backup;
  const unknown = databases.find((name) => !oplog[name]);
  if (unknown)
    throw new Error(
      `the backup of ${timeOfBackup(backup)} does not say where the changes of ${unknown} continue`,
    );
  const reached = new Map(databases.map((name) => [name, oplog[name]!.at]));
  const earliest = () => [...reached.values()].sort()[0]!;
  const found: Segment[] = [];
  let waiting: Segment[] = [];
  const covers = ({ ranges }: Segment) =>
    databases.every(
      (name) =>
        ranges[name] && ranges[name].from <= reached.get(name)! && ranges[name].id === oplog[name]!.id,
    );
  const extend = ({ ranges }: Segment) =>
    databases.some((name) => (ranges[name]?.to ?? '') > reached.get(name)!);
  for (const name of await segmentNames(series)) {
    if (earliest() >= until) break;
    if (timeOfName(name) < earliestSegmentMs(backup)) continue;
    waiting.push(await readSegment(series, name));
    // Clocks may differ: a segment may lead to one with an earlier name.
    for (let next = waiting.find(covers); next; next = waiting.find(covers)) {
      found.push(next);
      for (const [database, at] of reached) {
        const { to } = next.ranges[database]!;
        if (to > at) reached.set(database, to);
      }
      waiting = waiting.filter(extend).filter((one) => one !== next);
    }
  }
  if (earliest() >= until) return found;
  const end = timeOfPosition(earliest());
  throw new Error(
    waiting.some(extend)
      ? `${series.name} lacks the changes after ${end}: choose an earlier time, or one after the next backup`
      : `the changes in ${series.name} end at ${end}: choose an earlier time, or run waymark backup oplog first`,
  );
}
