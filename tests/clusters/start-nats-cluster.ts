import { join } from 'node:path';
import { acquireBinary, freePort, type StoreProcess, startNats } from '@waymark/local-stack';
import { eventually, patience } from '@waymark/testing';

export interface NatsCluster {
  /** A URL of each node, separated by commas. */
  url: string;
  /** Nodes by their server name in the cluster. */
  nodes: ReadonlyMap<string, StoreProcess>;
  stop(): Promise<void>;
}

const NODES = 3;
const FORMED_TIMEOUT_MS = patience(60_000);

/** Starts three nodes with JetStream on this machine, and waits until each reports that it is healthy. */
export async function startNatsCluster(options: { dataDir: string }): Promise<NatsCluster> {
  const binary = await acquireBinary('nats', console.error);
  if (typeof binary !== 'string') throw new Error('a cluster needs nats-server on this machine');
  const ports = () => Promise.all(Array.from({ length: NODES }, () => freePort()));
  const [peerPorts, monitorPorts] = [await ports(), await ports()];
  const urls = peerPorts.map((port) => `nats://127.0.0.1:${port}`);
  const nodes = new Map<string, StoreProcess>();
  for (const [i, url] of urls.entries()) {
    const name = `node_${i}`;
    const args = [
      ...['--name', name, '--http_port', String(monitorPorts[i])],
      ...['--cluster_name', 'waymark_local', '--cluster', url, '--routes', urls.join(',')],
    ];
    nodes.set(name, await startNats({ binary, dataDir: join(options.dataDir, name), args }));
  }
  await eventually(
    async () => (await Promise.all(monitorPorts.map(isHealthy))).every(Boolean),
    FORMED_TIMEOUT_MS,
  );
  const started = [...nodes.values()];
  return {
    url: started.map(({ url }) => url).join(','),
    nodes,
    async stop() {
      await Promise.all(started.map((node) => node.kill()));
    },
  };
}

/** A node is healthy once its JetStream has a leader and has caught up with it. */
async function isHealthy(monitorPort: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${monitorPort}/healthz`);
  await answer.body?.cancel();
  return answer.ok;
}
