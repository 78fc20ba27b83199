import { Readable } from 'node:stream';
import { MEBIBYTE } from '@waymark/contracts';
import { z } from 'zod';
import type { Place } from './place.ts';

/** The names become paths and collections, and a bucket may hold what somebody else has written. */
const Names = z.record(z.string().regex(/^[a-z_]{1,60}$/), z.number().int().min(0));

const Manifest = z.strictObject({
  format: z.literal(1),
  /** The version of the product that wrote the backup. Earlier backups lack this and the next field. */
  version: z
    .string()
    .regex(/^[\w.+-]{1,60}$/)
    .optional(),
  /** The time of the content. With several clusters, the earliest. */
  snapshot_at: z.iso.datetime().optional(),
  /** When the backup was complete. */
  taken_at: z.iso.datetime(),
  /** How the other files are encrypted. */
  encryption: z.literal('age').optional(),
  /** Numbers of documents by database and collection, to detect a truncated file. */
  counts: z.record(z.string().regex(/^[a-z]{1,60}$/), Names),
});
export type Manifest = z.infer<typeof Manifest>;

const MANIFEST = 'manifest.json';
const MANIFEST_BYTES_MAX = MEBIBYTE;
/** Clocks may differ by this. A later name is none of a backup. */
const AHEAD_MS = 300_000;
/** The name of a backup in a series: the time of its start, with characters that every file system takes. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;
/** An interrupted backup of a series is kept this long, because it may still be running. */
const INCOMPLETE_MS = 86_400_000;

/** The time of its content, or of its end where it does not say. */
export const timeOfBackup = ({ snapshot_at, taken_at }: Manifest) => snapshot_at ?? taken_at;

export const nameInSeries = (atMs: number) => new Date(atMs).toISOString().replaceAll(/[:.]/g, '-');

const timeOfName = (name: string) =>
  Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'));

export async function writeManifest(place: Place, manifest: Manifest): Promise<void> {
  await place.write(MANIFEST, Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]));
}

/**
 * Finds the backup in a place: the place itself, or the newest complete one of a series. Throws when there
 * is none.
 */
export async function findBackup(place: Place, nowMs: number): Promise<{ place: Place; manifest: Manifest }> {
  const files = await place.list();
  const newest = completeIn(files, nowMs).at(-1);
  if (!files.includes(MANIFEST) && !newest)
    throw new Error(`${place.name} is no whole backup: it has no ${MANIFEST}`);
  const found = files.includes(MANIFEST) ? place : place.at(newest!);
  return { place: found, manifest: await readManifest(found, nowMs) };
}

async function readManifest(place: Place, nowMs: number): Promise<Manifest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await place.read(MANIFEST)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MANIFEST_BYTES_MAX) throw new Error(`${place.name} has a ${MANIFEST} that is too large`);
  }
  const { data } = Manifest.safeParse(parsed(Buffer.concat(chunks).toString()));
  if (!data || Date.parse(timeOfBackup(data)) > nowMs + AHEAD_MS)
    throw new Error(`${place.name} has a ${MANIFEST} that Waymark has not written`);
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Removes interrupted backups of a series, and all others but `own` and the newest. Returns their names. */
export async function thinOut(
  series: Place,
  { own, keep, nowMs }: { own: string; keep: number; nowMs: number },
): Promise<string[]> {
  const files = await series.list();
  const complete = completeIn(files, nowMs);
  const kept = new Set([own, ...complete.slice(-keep)]);
  const names = [...new Set(files.map((path) => path.split('/')[0]!))].filter((name) => NAME.test(name));
  const removed = names
    .filter((name) => !kept.has(name))
    .filter((name) => complete.includes(name) || nowMs - timeOfName(name) > INCOMPLETE_MS);
  for (const name of removed) {
    const its = files.filter((path) => path.startsWith(`${name}/`));
    // The manifest first: what a failure leaves behind is no whole backup.
    const [first, others] = [its.filter(isManifest), its.filter((path) => !isManifest(path))];
    await series.remove(first);
    await series.remove(others);
  }
  return removed;
}

const isManifest = (path: string) => path.endsWith(`/${MANIFEST}`);

/** The names of the complete backups of a series, the oldest first. */
function completeIn(files: readonly string[], nowMs: number): string[] {
  return files
    .map((path) => path.split('/'))
    .filter(([name = '', file, ...more]) => NAME.test(name) && file === MANIFEST && more.length === 0)
    .map(([name]) => name!)
    .filter((name) => timeOfName(name) <= nowMs + AHEAD_MS)
    .sort();
}
