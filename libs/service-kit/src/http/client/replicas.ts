import type { ServiceName } from '@waymark/contracts';
import { buildConnector, Pool } from 'undici';
import { EnvironmentError } from '../../process/environment.ts';
import type { ServiceTls } from '../../process/service-tls.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export type Replicas = ReturnType<typeof openReplicas>;

/** One process of a service, with the connections to it. */
export interface Replica {
  url: URL;
  /** Opens a connection, over TLS for https. An error means that nothing was sent. */
  connect: buildConnector.connector;
  pool: Pool;
  avoidedUntilMs: number;
}

const AVOID_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than a replica's drain delay, so that the replica finds no idle connection of ours to close. */
const IDLE_MS = 2_000;
/** No further replica is tried after this time. */
const RETRY_LIMIT_MS = 2_000;
const ATTEMPTS_MIN = 2;

/**
 * Opens keep-alive connections to the replicas of a service in `urls`, such as `http://a:8082,http://b:8082`.
 * They are used in turn. Throws EnvironmentError for a URL that has a path or is not http or https.
 */
export function openReplicas(
  service: ServiceName,
  urls: string,
  { tls, now }: { tls: Pick<ServiceTls, 'connect'>; now: () => number },
) {
  const variable = `${service.toUpperCase()}_URL`;
  const all = urls.split(',').map((text) => openReplica(variable, text.trim(), tls));
  if (new Set(all.map(({ url }) => url.protocol)).size > 1)
    throw new EnvironmentError(`  ${variable}: use http or https for all replicas`);
  let last = 0;

  /** The next replica that is not in `tried`; an avoided replica only when no other is left. */
  function next(tried: readonly Replica[]): Replica | null {
    let fallback: Replica | null = null;
    for (let i = 0; i < all.length; i += 1) {
      last = (last + 1) % all.length;
      const candidate = all[last]!;
      if (tried.includes(candidate)) continue;
      if (candidate.avoidedUntilMs <= now()) return candidate;
      fallback ??= candidate;
    }
    return fallback;
  }

  /** Skips a replica that drains or does not answer, for 10 s. */
  function avoid(replica: Replica): void {
    replica.avoidedUntilMs = now() + AVOID_MS;
  }

  return {
    next: () => next([])!,
    avoid,
    /**
     * Calls `send` with one replica after another until one answers. A request of which nothing was sent is
     * tried again always, and after a broken connection if `mayRepeat`. Throws UpstreamFailure.
     */
    async tryEach<T>(
      send: (replica: Replica) => Promise<T>,
      options: { mayRepeat: boolean; onFailure?: (failure: UpstreamFailure) => void },
    ): Promise<T> {
      const startedAtMs = performance.now();
      const tried: Replica[] = [];
      for (let number = 1; ; number += 1) {
        const replica = next(tried) ?? next([])!;
        try {
          return await send(replica);
        } catch (error) {
          if (!(error instanceof UpstreamFailure)) throw error;
          options.onFailure?.(error);
          if (error.kind !== 'reset') avoid(replica);
          const isRepeated = error.kind === 'connect' || (error.kind === 'reset' && options.mayRepeat);
          const isLate = performance.now() - startedAtMs > RETRY_LIMIT_MS;
          if (!isRepeated || isLate || number >= Math.max(ATTEMPTS_MIN, all.length)) throw error;
          tried.push(replica);
        }
      }
    },
    async close(): Promise<void> {
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}

function openReplica(variable: string, text: string, tls: Pick<ServiceTls, 'connect'>): Replica {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new EnvironmentError(`  ${variable}: "${text}" is not an http or https URL without a path`);
  const open =
    url.protocol === 'https:' ? secureConnector(tls) : buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const connect: buildConnector.connector = (options, callback) =>
    open(options, (error, socket) =>
      error ? callback(new UpstreamFailure('connect', error.message, error), null) : callback(null, socket!),
    );
  const pool = new Pool(url.origin, {
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    allowH2: false,
    connect,
  });
  return { url, connect, pool, avoidedUntilMs: 0 };
}

/** Connects with the authorities of the service's own TLS, which may be renewed while it runs. */
const secureConnector =
  (tls: Pick<ServiceTls, 'connect'>): buildConnector.connector =>
  ({ hostname, port }, callback) =>
    tls.connect({ host: hostname, port: Number(port || 443) }, (error, socket) =>
      error ? callback(error, null) : callback(null, socket),
    );
