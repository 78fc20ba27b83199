import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtLeast, versionOf } from '../acquire/find-binary.ts';
import { probe } from '../process/tcp-probe.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

export type NatsOptions = StoreOptions & {
  /** Makes the server a node of a cluster, which listens for its peers on a separate port. */
  cluster?: { name: string; port: number; monitorPort: number; peers: readonly number[] };
  /** Further lines of the configuration. */
  settings?: readonly string[];
};

/**
 * Starts NATS with a file-backed JetStream that syncs before it acknowledges. By default, a power cut loses
 * the messages acknowledged in the seconds before. Servers before 2.10 cannot sync so. Nodes of a cluster
 * need not, because other nodes hold the lost messages.
 */
export async function startNats({ cluster, settings = [], ...options }: NatsOptions): Promise<StoreProcess> {
  const version = typeof options.binary === 'string' ? await versionOf(options.binary) : undefined;
  const canSync = version === undefined || isAtLeast(version, [2, 10]);
  return startStore(
    {
      name: 'nats',
      async args({ port, host, dataDir }) {
        const configuration = join(dataDir, 'nats.conf');
        await writeFile(configuration, [...configure(dataDir, canSync, cluster), ...settings, ''].join('\n'));
        return ['--config', configuration, '--addr', host, '--port', String(port)];
      },
      isReady: (port) => probe({ port, expect: 'INFO ' }),
      url: (port) => `nats://127.0.0.1:${port}`,
    },
    options,
  );
}

function configure(dataDir: string, canSync: boolean, cluster: NatsOptions['cluster']): string[] {
  return [
    `server_name: ${cluster?.name ?? 'waymark_local'}`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(dataDir)}`,
    // NATS reserves the size limit of each stream. The default share of a small disk has room for only a few
    // streams.
    '  max_file_store: 1TB',
    ...(canSync && !cluster ? ['  sync_interval: always'] : []),
    '}',
    ...(cluster ? clusterLines(cluster) : []),
  ];
}

function clusterLines({ port, monitorPort, peers }: NonNullable<NatsOptions['cluster']>): string[] {
  return [
    `http: "127.0.0.1:${monitorPort}"`,
    'cluster {',
    '  name: waymark_local',
    `  listen: "127.0.0.1:${port}"`,
    `  routes: [${peers.map((peer) => `"nats://127.0.0.1:${peer}"`).join(', ')}]`,
    '}',
  ];
}
