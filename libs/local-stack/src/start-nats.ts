import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtLeast, versionOf } from './find-binary.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';
import { probe } from './tcp-probe.ts';

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/**
 * Starts NATS with a file-backed JetStream that syncs before it acknowledges, because a default server loses
 * what it acknowledged in the seconds before a power cut. Servers before 2.10 cannot do that.
 */
export async function startNats(options: StoreOptions): Promise<StoreProcess> {
  const version = typeof options.binary === 'string' ? await versionOf(options.binary) : undefined;
  const canSync = version === undefined || isAtLeast(version, [2, 10]);
  return startStore(
    {
      name: 'nats',
      async args({ port, host, dataDir }) {
        const configuration = join(dataDir, 'nats.conf');
        await writeFile(configuration, configure(dataDir, canSync));
        return ['--config', configuration, '--addr', host, '--port', String(port)];
      },
      isReady: (port) => probe({ port, expect: 'INFO ' }),
      url: (port) => `nats://127.0.0.1:${port}`,
    },
    options,
  );
}

function configure(dataDir: string, canSync: boolean): string {
  return [
    'server_name: waymark_local',
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(dataDir)}`,
    ...(canSync ? ['  sync_interval: always'] : []),
    '}',
    '',
  ].join('\n');
}
