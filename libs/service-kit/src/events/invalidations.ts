import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { followSubject } from './follow-subject.ts';
import type { Nats } from './nats.ts';

/** Versions by tag: of the records that a cached value depends on, or of changed records. */
export type Tags = Record<string, number>;

const HEARTBEAT_MS = 1_000;
/** Without a heartbeat for this long, announcements may be getting lost. */
const SILENCE_MS = 3_000;
/** Longer than the lifetime of a cached value plus the slowest look-up. */
const FLOOR_MS = 60_000;

const Announcement = z.object({
  instance: z.string(),
  sequence: z.number(),
  tags: z.record(z.string(), z.number()),
});
type Announcement = z.output<typeof Announcement>;

export type Invalidations = ReturnType<typeof openInvalidations>;

/**
 * Announces stale cache entries over core NATS. A gap in an announcer's sequence, or a reconnect, raises the
 * epoch: a lost message costs a look-up and never leads to a stale value.
 */
export function openInvalidations(options: {
  nats: Nats;
  subject: string;
  now: () => number;
  announces: boolean;
}) {
  const { nats, subject, now } = options;
  const instance = randomUUID();
  const floors = new Map<string, { version: number; atMs: number }>();
  const heard = new Map<string, number>();
  let sequence = 0;
  let epoch = 0;
  let lastHeardMs = Number.NEGATIVE_INFINITY;

  const changeTasks: (() => void)[] = [];

  function changed() {
    for (const run of changeTasks) run();
  }

  function missed() {
    epoch += 1;
    changed();
  }

  function raise(tags: Tags) {
    for (const [tag, version] of Object.entries(tags)) {
      const floor = floors.get(tag);
      floors.set(tag, { version: Math.max(version, floor?.version ?? version), atMs: now() });
    }
  }

  function dropOldFloors() {
    for (const [tag, floor] of floors) if (now() - floor.atMs > FLOOR_MS) floors.delete(tag);
  }

  function receive({ instance: from, sequence: number, tags }: Announcement) {
    lastHeardMs = now();
    const isHeartbeat = Object.keys(tags).length === 0;
    if (isHeartbeat) dropOldFloors();
    if (from === instance) return;
    const before = heard.get(from);
    heard.set(from, number);
    raise(tags);
    if (before !== undefined && number !== before + 1) missed();
    else if (!isHeartbeat) changed();
  }

  function read(text: string): void {
    try {
      receive(Announcement.parse(JSON.parse(text)));
    } catch {
      // An unreadable announcement counts as missed; the next ones must still be read.
      missed();
    }
  }
  followSubject(nats, subject, read, () => {
    heard.clear();
    missed();
  });

  const publish = (tags: Tags) => {
    sequence += 1;
    nats.connection()?.publish(subject, JSON.stringify({ instance, sequence, tags } satisfies Announcement));
  };

  function beat() {
    publish({});
    dropOldFloors();
  }
  const heartbeats = options.announces ? setInterval(beat, HEARTBEAT_MS).unref() : undefined;

  return {
    /** Announces to all processes that these tags changed. Resolves to false if NATS did not receive it. */
    async announce(tags: Tags): Promise<boolean> {
      raise(tags);
      const connection = nats.connection();
      try {
        publish(tags);
        await connection?.flush();
      } catch {
        return false;
      }
      return connection !== null;
    },
    /** Reports whether an announcement has made a value with these tags stale. */
    isStale: (tags: Tags) =>
      Object.entries(tags).some(([tag, version]) => (floors.get(tag)?.version ?? version) > version),
    /** Rises when announcements may have been missed: values of an earlier epoch must not be cached. */
    epoch: () => epoch,
    /** Reports whether announcements arrive: NATS is connected and an announcer was heard recently. */
    healthy: () => nats.connection() !== null && now() - lastHeardMs < SILENCE_MS,
    /** Calls `run` after each announcement and when some may have been missed. */
    onChange(run: () => void) {
      changeTasks.push(run);
    },
    stop: () => clearInterval(heartbeats),
  };
}
