import {
  cursorCodec,
  eventStream,
  type Membership,
  type Principal,
  type ServiceName,
} from '@waymark/contracts';
import { freshCache } from './events/fresh-cache.ts';
import { openInvalidations } from './events/invalidations.ts';
import { connectNats } from './events/nats.ts';
import { internalClient } from './http/client/internal-client.ts';
import { identityTokens } from './http/identity-token.ts';
import { type BaseConfig, serviceUrls } from './process/environment.ts';
import { createLogger, type Logger } from './process/logger.ts';
import { createMetrics } from './process/metrics.ts';
import { withTlsFiles } from './process/nats-tls-files.ts';
import { type PeerClock, peerClock } from './process/peer-clock.ts';
import { openServiceTls } from './process/service-tls.ts';
import { type Store, storeOutages } from './process/store-outages.ts';
import { openTracing } from './process/tracing.ts';

/** Replacements that a test injects. */
export interface Seams {
  now?: () => number;
  log?: Logger;
  /** Called where a crash would do most damage, so that a test can crash there. */
  checkpoint?: (point: Checkpoint) => void;
  /** How often the position of a consumer is recorded. */
  recordMs?: number;
}

export type Checkpoint =
  /** After the commit of a transaction, before its events are published. */
  | 'committed'
  /** After an event was handled, before it is acknowledged. */
  | 'handled'
  /** After notifications were stored, before they are mailed. */
  | 'told'
  /** After accounts took a mail, before this is recorded. */
  | 'handed_over';

/** The parts of every process: logs, metrics, NATS, signed calls to other services, cached look-ups. */
export type Runtime = ReturnType<typeof openRuntime>;

const OUTAGE_CHECK_MS = 5_000;
const MEMBERSHIPS_MAX = 20_000;

/** Opens everything a process needs besides its own database; waits for no store. */
export function openRuntime(service: ServiceName, config: BaseConfig, seams: Seams = {}) {
  const now = seams.now ?? Date.now;
  /** Measures durations inside the process: nobody sets this clock. */
  const ticks = seams.now ?? (() => performance.now());
  const log = seams.log ?? createLogger(service, config.logLevel);
  const tls = openServiceTls(config, log);
  const tracing = openTracing(service, config, log);
  const { identityPrivateKeys: privateKeys, identityPublicKeys: publicKeys } = config;
  const servers = withTlsFiles(config.natsUrl, config);
  const nats = connectNats({ servers, credentials: config.natsCreds, name: service, log });
  const subject = eventStream(config.natsPrefix).invalidations;
  const invalidations = openInvalidations({ nats, subject, now: ticks, announces: service === 'accounts' });
  const metrics = createMetrics(service);
  const clocks = new Map<string, PeerClock>();

  /** Returns the clock of MongoDB or of a service; its difference from this process's clock is a metric. */
  function clockOf(peer: string): PeerClock {
    const known = clocks.get(peer);
    if (known) return known;
    const clock = peerClock({ wallMs: now });
    clocks.set(peer, clock);
    metrics.watchClockSkew(() => {
      const aheadMs = clock.aheadMs();
      return aheadMs === null ? undefined : aheadMs / 1000;
    }, peer);
    return clock;
  }

  // A service whose own clock is wrong can still be called and call others: identities go by MongoDB's.
  const stored = clockOf('mongodb').now;
  const identity = identityTokens({
    service,
    privateKeys,
    publicKeys,
    now: seams.now ?? stored,
    earliestNow: () => Math.min(now(), stored()),
  });
  const urls = serviceUrls(config);
  metrics.watchCertificateExpiry(() => {
    const expiresAtMs = tls.expiresAtMs();
    return expiresAtMs === undefined ? undefined : expiresAtMs / 1000;
  });
  const client = internalClient({ service, urls, identity, tracing, clockOf, tls, now: ticks });
  const memberships = freshCache<Membership | null>({
    invalidations,
    now: ticks,
    max: MEMBERSHIPS_MAX,
    async load(key) {
      const [userId = '', workspaceId] = key.split('/');
      const query = workspaceId ? { workspace_id: workspaceId } : {};
      const found = await client.call('resolveMembership', { params: { userId }, query });
      return { value: found.membership, tags: found.tags };
    },
  });
  /** Returns the caller of a request as it is now; null when its key or session has ended. */
  async function refreshCaller(principal: Principal): Promise<Principal | null> {
    if (principal.type !== 'api_key' && principal.type !== 'session') return principal;
    return (await client.call('refreshCaller', { body: { principal } })).principal;
  }
  const outages = storeOutages(log);
  const outageCheck = setInterval(outages.check, OUTAGE_CHECK_MS).unref();
  /** Makes a store's state a metric, and logs its outages. */
  function watchStore(isUp: () => boolean, store: Store): void {
    metrics.watchStore(isUp, store);
    outages.watch(store, isUp);
  }
  watchStore(() => nats.connection() !== null, 'nats');
  return {
    service,
    config,
    now,
    ticks,
    clockOf,
    log,
    metrics,
    watchStore,
    tls,
    tracing,
    identity,
    nats,
    invalidations,
    call: client.call,
    refreshCaller,
    cursors: cursorCodec(...(config.cursorSecrets as [string, ...string[]])),
    resolveMembership: (userId: string, workspaceId: string | null) =>
      memberships.get(`${userId}/${workspaceId ?? ''}`),
    async close() {
      clearInterval(outageCheck);
      invalidations.stop();
      await client.close();
      tls.close();
      await nats.close();
      await tracing.close();
    },
  };
}
