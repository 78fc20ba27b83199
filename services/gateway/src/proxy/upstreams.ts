import { EnvironmentError } from '@waymark/service-kit/process';

/** One process of a service, in the shape that the proxy library takes as its target. */
export interface Replica {
  target: { protocol: string; hostname: string; host: string; port: string; pathname: string };
  avoidedUntilMs: number;
}

/** The replicas of a service, taken in turn. */
export interface Upstreams {
  /** The next replica that is not in `tried`; an avoided one only when no other is left. */
  next(tried: readonly Replica[]): Replica | null;
  /** Keeps a replica that drains or does not answer out of the turn for 10 s. */
  avoid(replica: Replica): void;
  count: number;
}

const AVOID_MS = 10_000;

/** `urls` as configured: `http://a:8082,http://b:8082`. Throws EnvironmentError for anything but http URLs. */
export function upstreams(service: string, urls: string, now: () => number): Upstreams {
  const replicas = urls.split(',').map((url) => replica(service, url.trim()));
  let turn = 0;
  return {
    count: replicas.length,
    next(tried) {
      let fallback: Replica | null = null;
      for (let i = 0; i < replicas.length; i += 1) {
        turn = (turn + 1) % replicas.length;
        const candidate = replicas[turn]!;
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
    // An IPv6 address stands in brackets in a URL and without them in a connect.
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
