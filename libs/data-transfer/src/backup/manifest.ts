import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Place } from './place.ts';

export interface Manifest {
  format: 1;
  /** The version of the product that wrote the backup. Earlier backups lack this and the next field. */
  version?: string;
  /** The time of the content. With several clusters, the earliest. */
  snapshot_at?: string;
  /** When the backup was complete. */
  taken_at: string;
  /** How the other files are encrypted. */
  encryption?: 'age';
  /** Numbers of documents by database and collection, to detect a truncated file. */
  counts: Record<string, Record<string, number>>;
}

const MANIFEST = 'manifest.json';
/** The name of a backup in a series: the time of its start, with characters that every file system takes. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
/** An interrupted backup of a series is kept this long, because it may still be running. */
const INCOMPLETE_MS = 86_400_000;

/** The time of its content, or of its end where it does not say. */
export const timeOfBackup = ({ snapshot_at, taken_at }: Manifest) => snapshot_at ?? taken_at;

export const nameInSeries = (atMs: number) =>
  `${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

const timeOfName = (name: string) => Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z'));

export async function writeManifest(place: Place, manifest: Manifest): Promise<void> {
  await place.write(MANIFEST, Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]));
}

/**
 * Finds the backup in a place: the place itself, or the newest complete one of a series. Throws when there
 * is none.
 */
export async function findBackup(place: Place): Promise<{ place: Place; manifest: Manifest }> {
  const files = await place.list();
  const newest = completeIn(files).at(-1);
  if (!files.includes(MANIFEST) && !newest)
    throw new Error(`${place.name} is no whole backup: it has no ${MANIFEST}`);
  const found = files.includes(MANIFEST) ? place : place.at(newest!);
  return { place: found, manifest: JSON.parse(await text(await found.read(MANIFEST))) as Manifest };
}

/** Removes all but the newest complete backups of a series, and those that were interrupted. */
export async function thinOut(series: Place, keep: number, nowMs: number): Promise<string[]> {
  const files = await series.list();
  const complete = completeIn(files);
  const kept = new Set(complete.slice(-keep));
  const names = [...new Set(files.map((path) => path.split('/')[0]!))].filter((name) => NAME.test(name));
  const removed = names
    .filter((name) => !kept.has(name))
    .filter((name) => complete.includes(name) || nowMs - timeOfName(name) > INCOMPLETE_MS);
  for (const name of removed) {
    const own = files.filter((path) => path.startsWith(`${name}/`));
    // The manifest first: what a failure leaves behind is no whole backup.
    const [first, others] = [own.filter(isManifest), own.filter((path) => !isManifest(path))];
    await series.remove(first);
    await series.remove(others);
  }
  return removed;
}

const isManifest = (path: string) => path.endsWith(`/${MANIFEST}`);

/** The names of the complete backups of a series, the oldest first. */
function completeIn(files: readonly string[]): string[] {
  return files
    .map((path) => path.split('/'))
    .filter(([name = '', file, ...more]) => NAME.test(name) && file === MANIFEST && more.length === 0)
    .map(([name]) => name!)
    .sort();
}
