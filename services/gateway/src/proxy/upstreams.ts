import { EnvironmentError } from '@waymark/service-kit/process';

/** One process of a service; `target` has the form that the proxy library expects. */
export interface Replica {
  target: { protocol: string; hostname: string; host: string; port: string; pathname: string };
  avoidedUntilMs: number;
}

/** The replicas of a service, selected round-robin. */
export interface Upstreams {
  /** The next replica that is not in `tried`; an avoided replica only when no other is left. */
  next(tried: readonly Replica[]): Replica | null;
  /** Skips a replica, which drains or does not answer, for 10 s. */
  avoid(replica: Replica): void;
  count: number;
}

const AVOID_MS = 10_000;

/** `urls` is like `http://a:8082,http://b:8082`. Throws EnvironmentError for any other URL. */
export function upstreams(service: string, urls: string, now: () => number): Upstreams {
  const replicas = urls.split(',').map((url) => replica(service, url.trim()));
  let last = 0;
  return {
    count: replicas.length,
    next(tried) {
      let fallback: Replica | null = null;
      for (let i = 0; i < replicas.length; i += 1) {
        last = (last + 1) % replicas.length;
        const candidate = replicas[last]!;
        if (tried.includes(candidate)) continue;
        if (candidate.avoidedUntilMs <= now()) return candidate;
        fallback ??= candidate;
      }
      return fallback;
    },
    avoid(avoided) {
      avoided.avoidedUntilMs = now() + AVOID_MS;
    },
  };
}

function replica(service: string, text: string): Replica {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search !== '') {
    throw new EnvironmentError(`  ${service.toUpperCase()}_URL: "${text}" is not an http URL without a path`);
  }
  const { protocol, hostname, port } = url;
  return {
    // A URL has an IPv6 address in brackets; a connection is opened to the address without them.
    target: {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      host: url.host,
      port: port || '80',
      pathname: '/',
    },
    avoidedUntilMs: 0,
  };
}
