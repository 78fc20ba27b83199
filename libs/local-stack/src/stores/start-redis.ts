import { probe } from '../process/tcp-probe.ts';
import { type StoreOptions, type StoreProcess, startStore } from './store-process.ts';

/** Starts Redis without persistence: it holds rate limits and caches, which a restart may forget. */
export function startRedis(options: StoreOptions): Promise<StoreProcess> {
  return startStore(
    {
      name: 'redis',
      // Keeps the process title, because data-directory.ts identifies a remaining process by its arguments.
      args: ({ port, host, dataDir }) => [
        ...['--port', String(port), '--bind', host, '--protected-mode', 'no', '--dir', dataDir],
        ...['--save', '', '--appendonly', 'no', '--set-proc-title', 'no'],
      ],
      isReady: (port) => probe({ port, send: 'PING\r\n', expect: '+PONG' }),
      url: (port) => `redis://127.0.0.1:${port}`,
    },
    options,
  );
}
