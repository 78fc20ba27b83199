import { ApiError } from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import type { Exchange } from '../exchange/exchange.ts';

/** Places for requests under way at one service, shared out between callers. */
export interface Places {
  /** Throws SERVICE_UNAVAILABLE when none is left, RATE_LIMITED when one of `callers` has its share. */
  check(callers: readonly string[]): void;
  take(callers: readonly string[]): void;
  give(callers: readonly string[]): void;
}

/** Why a request got no place: there is none, or its caller has as many as are left. */
export type PlaceRefusal = 'none_left' | 'share_taken';

const RETRY_SECONDS = 1;

/**
 * A caller may take more while it has fewer than are left: one alone gets half, and however long it keeps them there is as much
 * for the others.
 */
export function createPlaces(total: number, onRefusal: (reason: PlaceRefusal) => void): Places {
  const byCaller = new Map<string, number>();
  let left = total;
  const taken = (caller: string) => byCaller.get(caller) ?? 0;

  return {
    check(callers) {
      if (left === 0) {
        onRefusal('none_left');
        throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
      }
      if (callers.every((caller) => taken(caller) < left)) return;
      onRefusal('share_taken');
      throw new ApiError('RATE_LIMITED', {
        message: 'Too many requests of this caller are under way; wait for some of them to end.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    },
    take(callers) {
      left -= 1;
      for (const caller of callers) byCaller.set(caller, taken(caller) + 1);
    },
    give(callers) {
      left += 1;
      for (const caller of callers) {
        const kept = taken(caller) - 1;
        if (kept > 0) byCaller.set(caller, kept);
        else byCaller.delete(caller);
      }
    },
  };
}

/**
 * Whose shares a request counts to. A workspace has one for all of its keys, a user one for sessions and keys in however many
 * workspaces, a network one for what comes without credentials.
 */
export function callersOf({ principal, clientAddress }: Exchange): readonly string[] {
  if (principal?.type === 'api_key') return [principal.workspace_id, principal.user_id];
  if (principal?.type === 'session') return [principal.user_id];
  return [clientNetwork(clientAddress)];
}
