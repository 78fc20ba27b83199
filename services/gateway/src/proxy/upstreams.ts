import { EnvironmentError } from '@waymark/service-kit/process';

export type Replica = ReturnType<typeof replica>;
export type Upstreams = ReturnType<typeof upstreams>;

const AVOID_MS = 10_000;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The replicas in `urls`, like `http://a:8082,http://b:8082`, in turn. Throws EnvironmentError. */
export function upstreams(service: string, urls: string, now: () => number) {
  const replicas = urls.split(',').map((url) => replica(service, url.trim()));
  let last = 0;
  const isSecure = replicas[0]!.target.protocol === 'https:';
  if (replicas.some(({ target }) => (target.protocol === 'https:') !== isSecure)) {
    throw new EnvironmentError(`  ${service.toUpperCase()}_URL: use http or https for all replicas`);
  }
  return {
    isSecure,
    count: replicas.length,
    /** The next replica that is not in `tried`; an avoided replica only when no other is left. */
    next(tried: readonly Replica[]): Replica | null {
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
    /** Skips a replica, which drains or does not answer, for 10 s. */
    avoid(avoided: Replica): void {
      avoided.avoidedUntilMs = now() + AVOID_MS;
    },
  };
}

/** One process of a service; `target` has the form that the proxy library expects. */
function replica(service: string, text: string) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !(url.protocol in PORTS) || url.pathname !== '/' || url.search !== '') {
    throw new EnvironmentError(
      `  ${service.toUpperCase()}_URL: "${text}" is not an http or https URL without a path`,
    );
  }
  const { protocol, host, port, pathname } = url;
  // A URL has an IPv6 address in brackets; a connection is opened to the address without them.
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return {
    target: { protocol, hostname, host, port: port || PORTS[protocol]!, pathname },
    avoidedUntilMs: 0,
  };
}
