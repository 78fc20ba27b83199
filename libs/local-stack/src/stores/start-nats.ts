import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAtLeast, versionOf } from '../acquire/find-binary.ts';
import { freePort } from '../process/free-port.ts';
import { probe } from '../process/tcp-probe.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';

const HEALTH_TIMEOUT_MS = 2_000;
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/**
 * Starts NATS with a file-backed JetStream. It syncs before it acknowledges, because a power cut would lose
 * the messages of the seconds before; servers before 2.10 cannot. `settings` are lines of its configuration.
 */
export async function startNats({
  settings = [],
  ...options
}: StoreOptions & { settings?: readonly string[] }): Promise<StoreProcess> {
  const { binary } = options;
  const monitorPort = await freePort();
  const canSync = typeof binary !== 'string' || isAtLeast(await versionOf(binary), [2, 10]);
  return startStore(
    {
      name: 'nats',
      args({ port, host, dataDir }) {
        const lines = [
          'server_name: waymark_local',
          `max_payload: ${MAX_PAYLOAD_BYTES}`,
          `http: ${host}:${monitorPort}`,
          'jetstream {',
          `  store_dir: ${JSON.stringify(dataDir)}`,
          // NATS reserves the size limit of each stream: the default share of a small disk has room for few.
          '  max_file_store: 1TB',
          canSync ? '  sync_interval: always' : '',
          '}',
          ...settings,
        ];
        const configuration = join(dataDir, 'nats.conf');
        // Settings may contain passwords.
        rmSync(configuration, { force: true });
        writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
        return ['--config', configuration, '--addr', host, '--port', String(port)];
      },
      isStuck: () => hasWriteError(monitorPort),
      isReady: (port) => probe({ port, expect: 'INFO ' }),
      url: (port) => `nats://127.0.0.1:${port}`,
    },
    options,
  );
}

/** Reports a failed write, for example to a full disk: NATS then stores nothing more until it restarts. */
async function hasWriteError(monitorPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${monitorPort}/healthz`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    return (await response.text()).includes('write error');
  } catch {
    return false;
  }
}
