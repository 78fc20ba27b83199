import { completeIn, MANIFEST, type Manifest, NAME, readManifest, timeOfName } from './manifest.ts';
import { earliestSegmentMs, OPLOG } from './oplog/segments.ts';
import type { Place } from './place.ts';

/** An interrupted backup of a series is kept this long, because it may still be running. */
const INCOMPLETE_MS = 86_400_000;

/**
 * Removes interrupted backups of a series, all others but `own` and the newest, and the changes from before
 * them. Returns the names of the backups.
 */
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
  await removeFolders(series, files, removed);
  const [oldest] = complete.filter((name) => kept.has(name));
  if (oldest) await removeSegments(series, files, await readManifest(series.at(oldest), nowMs));
  return removed;
}

/** Removes the changes from before a backup. */
async function removeSegments(series: Place, files: readonly string[], oldest: Manifest): Promise<void> {
  const folders = new Set(files.map((path) => path.split('/').slice(0, 2).join('/')));
  const earlier = [...folders].filter((folder) => {
    const [parent, name = ''] = folder.split('/');
    return parent === OPLOG && NAME.test(name) && timeOfName(name) < earliestSegmentMs(oldest);
  });
  await removeFolders(series, files, earlier);
}

async function removeFolders(series: Place, files: readonly string[], names: readonly string[]) {
  for (const name of names) {
    const its = files.filter((path) => path.startsWith(`${name}/`));
    // The manifest first: the rest of a backup that a failure leaves does not count as one.
    const [first, others] = [its.filter(isManifest), its.filter((path) => !isManifest(path))];
    await series.remove(first);
    await series.remove(others);
  }
}

const isManifest = (path: string) => path.endsWith(`/${MANIFEST}`);
