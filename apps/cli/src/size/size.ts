import { type ServiceName, services } from '@waymark/contracts';

export type RequestKind = 'read' | 'list' | 'search' | 'write' | 'delivery';
type Process = ServiceName | 'mongodb' | 'redis' | 'nats';
type PerProcess = Partial<Record<Process, number>>;

/** The measurements of `npm run bench:size`. */
export interface Measured {
  command: string;
  date: string;
  machine: string;
  /** The time of one request or delivery, with all that follows from it. */
  processorMs: Record<RequestKind, PerProcess>;
  atRestMiB: PerProcess;
  /** The bytes in all databases, with indexes, events and audit entries. */
  storedBytesPerDecision: number;
  /** The bytes on the disk of search. */
  indexBytesPerDecision: number;
}

/** The load of an installation at its peak. */
export interface Load {
  /** Requests per second. */
  rps: number;
  /** The share of them that change something, from 0 to 1. */
  writes: number;
  /** Decisions stored, of all workspaces. */
  decisions: number;
  /** Webhook endpoints that receive each change. */
  endpoints: number;
}

export interface Size {
  replicas: Record<ServiceName, number>;
  /** Requests of processor time per replica. */
  millicores: Record<ServiceName, number>;
  /** Requests of memory per replica, of search without its indexes. */
  mebibytes: Record<ServiceName, number>;
  searchMebibytes: { request: number; limit: number; disk: number };
  /** All services in one process; null if they need more than one. */
  single: { millicores: number } | null;
  stores: Record<'mongodb' | 'redis' | 'nats', { millicores: number }> & { mongodb: { gibibytes: number } };
}

const names = Object.keys(services) as ServiceName[];
/** The shares of lists and searches among the requests that change nothing. */
const LISTS = 0.35;
const SEARCHES = 0.05;
/** The busiest share of a core per process: JavaScript has one thread, and requests begin to wait. */
const BUSY_MAX = 0.6;
/** The busiest share of a core where all services are in one process and wait for each other. */
const BUSY_SINGLE_MAX = 0.4;
/** Requests of a node above the average of the peak. */
const HEADROOM = 1.25;
/** Requests in flight and buffers need more than a process at rest. */
const MEMORY_FACTOR = 1.4;
const MEMORY_STEP_MIB = 64;
const STEP_MILLICORES = 50;
/** Less would slow down a start. */
const LEAST_MILLICORES = 100;
/** Search builds its indexes at the start. */
const LEAST_SEARCH_MILLICORES = 200;
/** Decisions come with workflows, messages and versions, and MongoDB needs room to compact. */
const DISK_FACTOR = 3;
const LEAST_DISK_GIB = 8;
const LEAST_INDEX_MIB = 512;
const LEAST_SEARCH_MIB = 512;
/** The share of the indexes that search keeps in memory, at best. */
const INDEX_MEMORY_SHARE = 0.25;
const MOST_SEARCH_MIB = 4_096;
const GIB = 2 ** 30;
const MIB = 2 ** 20;

/** Computes replicas and resources from measured processor time. */
export function sizeOf(load: Load, measured: Measured): Size {
  const busyMs = (name: Process) =>
    Object.entries(ratesOf(load)).reduce(
      (sum, [kind, perSecond]) => sum + perSecond * (measured.processorMs[kind as RequestKind][name] ?? 0),
      0,
    );
  // One more than carry the load, so that the loss of a replica or a rollout is not felt.
  const replicas = byService((name) => Math.max(1, Math.ceil(busyMs(name) / 1_000 / BUSY_MAX)) + 1);
  const indexMiB = Math.max(
    LEAST_INDEX_MIB,
    Math.ceil((load.decisions * measured.indexBytesPerDecision * DISK_FACTOR) / MIB),
  );
  const request = Math.min(
    MOST_SEARCH_MIB,
    Math.max(LEAST_SEARCH_MIB, round(indexMiB * INDEX_MEMORY_SHARE, 256)),
  );
  const all = names.reduce((sum, name) => sum + busyMs(name), 0);
  const bytes = load.decisions * measured.storedBytesPerDecision * DISK_FACTOR;
  return {
    replicas,
    millicores: byService((name) =>
      millicores(
        busyMs(name) / replicas[name],
        name === 'search' ? LEAST_SEARCH_MILLICORES : LEAST_MILLICORES,
      ),
    ),
    mebibytes: byService((name) => round((measured.atRestMiB[name] ?? 0) * MEMORY_FACTOR, MEMORY_STEP_MIB)),
    searchMebibytes: { request, limit: 2 * request, disk: round(indexMiB, 256) },
    // The memory of one pod is for small indexes.
    single:
      all / 1_000 <= BUSY_SINGLE_MAX && request <= LEAST_SEARCH_MIB
        ? { millicores: millicores(all, LEAST_SEARCH_MILLICORES) }
        : null,
    stores: {
      mongodb: {
        millicores: millicores(busyMs('mongodb')),
        gibibytes: Math.max(LEAST_DISK_GIB, Math.ceil(bytes / GIB)),
      },
      redis: { millicores: millicores(busyMs('redis')) },
      nats: { millicores: millicores(busyMs('nats')) },
    },
  };
}

function ratesOf({ rps, writes, endpoints }: Load): Record<RequestKind, number> {
  const changing = rps * writes;
  const others = rps - changing;
  return {
    list: others * LISTS,
    search: others * SEARCHES,
    read: others * (1 - LISTS - SEARCHES),
    write: changing,
    delivery: changing * endpoints,
  };
}

const byService = (of: (name: ServiceName) => number) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<ServiceName, number>;
const round = (value: number, step: number) => Math.ceil(value / step) * step;
const millicores = (ms: number, least = LEAST_MILLICORES) =>
  Math.max(least, round(ms * HEADROOM, STEP_MILLICORES));
