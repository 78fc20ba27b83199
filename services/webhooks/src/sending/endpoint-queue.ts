import type { ClaimedDelivery, DueLane, EndpointRecord } from '../store/index.ts';
import { type SendWindow, sendWindow } from './send-window.ts';

/** What this process knows and does of one endpoint. */
export interface Lane extends DueLane {
  endpoint: EndpointRecord | null;
  readAtMs: number;
  /** Until when it may be gone by. */
  freshUntilMs: number;
  /** Whether it may be sent to, being found out. */
  preparing: Promise<boolean> | undefined;
  /** What was read before this moment has changed since. */
  changedAtMs: number;
  queue: ClaimedDelivery[];
  active: number;
  /** Attempts at once now: an endpoint that does not answer gets fewer, so that many such ones cost little. */
  width: number;
  countSend: SendWindow;
  timer: NodeJS.Timeout | undefined;
  /** When the rate last let something wait (performance.now). */
  pacedAtMs: number;
  /** Whether the store may hold due deliveries; `wakes` tells a refill whether that was said again meanwhile. */
  isBehind: boolean;
  wakes: number;
  isRefilling: boolean;
}

export function newLane(due: DueLane, width: number): Lane {
  return {
    ...due,
    endpoint: null,
    readAtMs: Number.NEGATIVE_INFINITY,
    freshUntilMs: Number.NEGATIVE_INFINITY,
    preparing: undefined,
    changedAtMs: Number.NEGATIVE_INFINITY,
    queue: [],
    active: 0,
    width,
    countSend: sendWindow(),
    timer: undefined,
    pacedAtMs: Number.NEGATIVE_INFINITY,
    isBehind: false,
    wakes: 0,
    isRefilling: false,
  };
}
