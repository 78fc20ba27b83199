import { Readable } from 'node:stream';
import { jsonOrNull, MEBIBYTE } from '@waymark/contracts';
import { z } from 'zod';
import type { Place } from './place.ts';
import { Position, timeOfPosition } from './position.ts';

/** The names become paths and collections, and a bucket may hold what somebody else has written. */
export const CollectionName = z.string().regex(/^[a-z_]{1,60}$/);
const Names = z.record(CollectionName, z.number().int().min(0));

export const Database = z.string().regex(/^[a-z]{1,60}$/);
export const Version = z.string().regex(/^[\w.+-]{1,60}$/);

const Manifest = z.strictObject({
  format: z.literal(1),
  /** The version of the product that wrote the backup. Earlier backups lack this and the next field. */
  version: Version.optional(),
  /** The time of the content. With several clusters, the earliest. */
  snapshot_at: z.iso.datetime().optional(),
  /** When the backup was complete. */
  taken_at: z.iso.datetime(),
  /** How the other files are encrypted. */
  encryption: z.literal('age').optional(),
  /** Numbers of documents by database and collection, to detect a truncated file. */
  counts: z.record(Database, Names),
  /** The identity of each database, and where its changes continue in the oplog. Earlier backups lack it. */
  oplog: z.record(Database, z.strictObject({ id: z.uuid(), at: Position })).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = 'manifest.json';
const MANIFEST_BYTES_MAX = MEBIBYTE;
/** Clocks may differ by this. A later name is none of a backup. */
const AHEAD_MS = 300_000;
/** The name of a backup in a series: the time of its start, with characters that every file system takes. */
export const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** The time of its content, or of its end where it does not say. */
export const timeOfBackup = ({ snapshot_at, taken_at }: Manifest) => snapshot_at ?? taken_at;

export const nameInSeries = (atMs: number) => new Date(atMs).toISOString().replaceAll(/[:.]/g, '-');

export const timeOfName = (name: string) =>
  Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'));

export async function writeManifest(place: Place, manifest: object): Promise<void> {
  await place.write(MANIFEST, Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]));
}

/**
 * Finds the backup in a place: the place itself, or the newest complete one of a series; with `before`, the
 * newest whose changes continue from an earlier position. Throws when there is none.
 */
export async function findBackup(
  place: Place,
  nowMs: number,
  before?: string,
): Promise<{ place: Place; manifest: Manifest }> {
  const files = await place.list();
  const newestFirst = completeIn(files, nowMs).reverse();
  const places = files.includes(MANIFEST) ? [place] : newestFirst.map((name) => place.at(name));
  if (places.length === 0) throw new Error(`${place.name} is no whole backup: it has no ${MANIFEST}`);
  for (const found of places) {
    const manifest = await readManifest(found, nowMs);
    const starts = Object.values(manifest.oplog ?? {});
    const isBefore = starts.length > 0 && starts.every(({ at }) => at < before!);
    if (before === undefined || isBefore) return { place: found, manifest };
  }
  throw new Error(`${place.name} has no backup from before ${timeOfPosition(before!)}: choose a later time`);
}

export async function readManifest(place: Place, nowMs: number): Promise<Manifest> {
  const data = await readJson(place, Manifest);
  if (Date.parse(timeOfBackup(data)) > nowMs + AHEAD_MS) throw foreign(place);
  return data;
}

/** Reads the manifest of a backup or of a segment. */
export async function readJson<T>(place: Place, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await place.read(MANIFEST)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MANIFEST_BYTES_MAX) throw new Error(`${place.name} has a ${MANIFEST} that is too large`);
  }
  const { data } = schema.safeParse(jsonOrNull(Buffer.concat(chunks).toString()));
  if (!data) throw foreign(place);
  return data;
}

const foreign = (place: Place) => new Error(`${place.name} has a ${MANIFEST} that Waymark has not written`);

/** The names of the complete backups or segments among the files of their series, the oldest first. */
export function completeIn(files: readonly string[], nowMs: number): string[] {
  return files
    .map((path) => path.split('/'))
    .filter(([name = '', file, ...more]) => NAME.test(name) && file === MANIFEST && more.length === 0)
    .map(([name]) => name!)
    .filter((name) => timeOfName(name) <= nowMs + AHEAD_MS)
    .sort();
}
