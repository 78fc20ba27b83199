import { join } from 'node:path';
import { freePort } from '../process/free-port.ts';
import { type ClusterOptions, startCluster, until } from './cluster.ts';
import { startNats } from './start-nats.ts';
import type { StoreProcess } from './store-process.ts';

export type NatsCluster = {
  /** A URL of each node, separated by commas. */
  url: string;
  /** Nodes by their server name in the cluster. */
  nodes: ReadonlyMap<string, StoreProcess>;
  stop(): Promise<void>;
};

const NODES = 3;
const FORMED_TIMEOUT_MS = 60_000;

/**
 * Starts a NATS cluster of three nodes with JetStream on this machine, and waits until each reports that it
 * is healthy.
 * @throws Error when nats-server cannot be run as a process of this machine, or the cluster does not form
 * within 60 s.
 */
export function startNatsCluster(options: ClusterOptions): Promise<NatsCluster> {
  return startCluster('nats', options, async (binary, started) => {
    const ports = () => Promise.all(Array.from({ length: NODES }, () => freePort()));
    const [clusterPorts, monitorPorts] = [await ports(), await ports()];
    const nodes = new Map<string, StoreProcess>();
    for (let i = 0; i < NODES; i += 1) {
      const name = `node_${i}`;
      const cluster = { name, port: clusterPorts[i]!, monitorPort: monitorPorts[i]!, peers: clusterPorts };
      const node = await startNats({ binary, dataDir: join(options.dataDir, name), cluster });
      started.push(node);
      nodes.set(name, node);
    }
    await Promise.all(
      monitorPorts.map((port) => until('NATS cluster', FORMED_TIMEOUT_MS, () => isHealthy(port))),
    );
    return { url: started.map(({ url }) => url).join(','), nodes };
  });
}

/** A node is healthy once its JetStream has a leader and has caught up with it. */
async function isHealthy(monitorPort: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${monitorPort}/healthz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
