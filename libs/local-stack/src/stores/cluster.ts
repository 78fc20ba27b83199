import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireBinary } from '../acquire/acquire-binary.ts';
import { type StoreName, storeBinaries } from '../acquire/binaries.ts';
import type { StoreProcess } from './store-process.ts';

export type ClusterOptions = {
  /** The checkout; fetched servers are kept in its .waymark/bin. */
  root: string;
  dataDir: string;
};

const POLL_MS = 100;

/**
 * Starts the nodes of a cluster as processes of this machine, and kills them if that fails. Containers do not
 * work: nodes tell clients each other's addresses, which differ inside. `start` adds the nodes to `nodes`.
 * @throws Error when the server cannot be run as a process of this machine.
 */
export async function startCluster<T>(
  store: StoreName,
  { root }: ClusterOptions,
  start: (binary: string, nodes: StoreProcess[]) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const log = (line: string) => console.error(line);
  const binary = await acquireBinary(storeBinaries[store], join(root, '.waymark', 'bin'), log);
  if (typeof binary !== 'string')
    throw new Error(`a cluster needs ${storeBinaries[store].command} on this machine`);
  const nodes: StoreProcess[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
  };
  try {
    return { ...(await start(binary, nodes)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Polls until `check` returns a value other than false or undefined. @throws Error after the timeout. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  check: () => Promise<T | false | undefined>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== false && result !== undefined) return result;
    if (performance.now() > deadline) throw new Error(`no ${what} within ${timeoutMs} ms`);
    await delay(POLL_MS);
  }
}
