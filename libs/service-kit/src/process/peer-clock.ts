/**
 * The clock of a store or another service, as this process observes it. The rule: what two processes compare
 * is MongoDB's time or a position in the stream; what one process measures is monotonic.
 */
export type PeerClock = ReturnType<typeof peerClock>;

/** The peer's time at some moment after `sentTicksMs`, between two bounds in milliseconds since 1970. */
export interface Observation {
  sentTicksMs: number;
  earliestMs: number;
  latestMs?: number;
}

/** Smaller differences are left alone: every lease and limit that processes share allows for more. */
const TOLERANCE_MS = 1_000;

/** `ticksMs` never jumps, so a step of this process's clock shows at once. */
export function peerClock({ wallMs = Date.now, ticksMs = () => performance.now() } = {}) {
  /** The bounds of the peer's time, less the ticks. A slow answer widens them: load is no skew. */
  let bounds: { min: number; max: number } | null = null;

  /** How far this process's clock is ahead of the peer's, at least; negative when behind, null if unknown. */
  function aheadMs(): number | null {
    if (!bounds) return null;
    const offsetMs = wallMs() - ticksMs();
    if (offsetMs < bounds.min) return offsetMs - bounds.min;
    return Math.max(0, offsetMs - bounds.max);
  }

  return {
    ticksMs,
    observe({ sentTicksMs, earliestMs, latestMs = earliestMs }: Observation): void {
      bounds = { min: earliestMs - ticksMs(), max: latestMs - sentTicksMs };
    },
    aheadMs,
    /** The peer's time; this process's own before the first observation, and while the two agree. */
    now(): number {
      const ahead = aheadMs() ?? 0;
      return Math.abs(ahead) > TOLERANCE_MS ? Math.round(wallMs() - ahead) : wallMs();
    },
  };
}
