import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtLeast, versionOf } from '../acquire/find-binary.ts';
import { probe } from '../process/tcp-probe.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

export type NatsOptions = StoreOptions & {
  /** Makes it a node of a cluster, whose peers listen for each other on ports of their own. */
  cluster?: { name: string; port: number; monitorPort: number; peers: readonly number[] };
  /** Further lines of its configuration. */
  settings?: readonly string[];
};

/**
 * Starts NATS with a file-backed JetStream that syncs before it acknowledges, because a default server loses
 * what it acknowledged in the seconds before a power cut. Servers before 2.10 cannot do that; nodes of a
 * cluster need not, as others hold what one has lost.
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
    // NATS reserves the size limit of each stream; the default share of a small disk has room for few streams
    // only.
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
