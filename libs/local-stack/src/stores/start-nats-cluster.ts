import { join } from 'node:path';
import { acquireBinary } from '../acquire/acquire-binary.ts';
import { storeBinaries } from '../acquire/binaries.ts';
import { freePort } from '../process/free-port.ts';
import { startNats } from './start-nats.ts';
import type { StoreProcess } from './store-process.ts';

export type NatsCluster = {
  /** A URL of each node, separated by commas. */
  url: string;
  /** By the name that the server has in its cluster. */
  nodes: ReadonlyMap<string, StoreProcess>;
  stop(): Promise<void>;
};

const NODES = 3;
const FORMED_TIMEOUT_MS = 60_000;
const LOOK_MS = 100;

/**
 * Starts a NATS cluster of three nodes with JetStream on this machine, and waits until each says that it is healthy.
 * @throws Error when nats-server cannot be had as a process of this machine, or the cluster does not form within 60 s.
 */
export async function startNatsCluster(options: {
  /** The checkout: a fetched server is kept in its .waymark/bin. */
  root: string;
  dataDir: string;
}): Promise<NatsCluster> {
  const say = (line: string) => console.error(line);
  const binary = await acquireBinary(storeBinaries.nats, join(options.root, '.waymark', 'bin'), say);
  // Nodes tell clients each other's addresses, which are others inside containers.
  if (typeof binary !== 'string') throw new Error('a NATS cluster needs nats-server on this machine');
  const nodes = new Map<string, StoreProcess>();
  const stop = async () => {
    await Promise.all([...nodes.values()].map((node) => node.kill()));
  };
  const ports = () => Promise.all(Array.from({ length: NODES }, () => freePort()));
  const [clusterPorts, monitorPorts] = [await ports(), await ports()];
  try {
    for (let i = 0; i < NODES; i += 1) {
      const name = `node_${i}`;
      const cluster = { name, port: clusterPorts[i]!, monitorPort: monitorPorts[i]!, peers: clusterPorts };
      nodes.set(name, await startNats({ binary, dataDir: join(options.dataDir, name), cluster }));
    }
    await Promise.all(monitorPorts.map(healthy));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: [...nodes.values()].map(({ url }) => url).join(','), nodes, stop };
}

/** A node is once its JetStream has a leader and has caught up with it. */
async function healthy(monitorPort: number): Promise<void> {
  const deadline = performance.now() + FORMED_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${monitorPort}/healthz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error(`no NATS cluster within ${FORMED_TIMEOUT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
