import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { WaymarkError } from '@waymark/client/api';
import { reportLimit } from './connection.ts';
import { reportExpiry } from './expiry.ts';
import { queryKeys } from './query-keys.ts';

const RETRIES = 2;
const RETRY_WAIT_LIMIT_SECONDS = 30;
/** Limits count in windows of a minute. */
const LIMIT_WAIT_SECONDS = 60;
const STALE_MS = 10_000;
/** Mutations carry passwords and new keys: drop them with the form, not minutes later. */
const MUTATION_KEPT_MS = 1_000;

/** Retries an outage, and a rate limit until it has passed, after Retry-After. Does not retry a refusal. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (!(error instanceof WaymarkError)) return failures < RETRIES;
  const seconds = error.retryAfterSeconds ?? 0;
  if (error.status === 429 && seconds <= LIMIT_WAIT_SECONDS) {
    reportLimit(seconds);
    return true;
  }
  return failures < RETRIES && error.status >= 500 && seconds <= RETRY_WAIT_LIMIT_SECONDS;
}

function retryDelayMs(failures: number, error: Error): number {
  const asked = error instanceof WaymarkError ? error.retryAfterSeconds : null;
  return asked === null ? 500 * 2 ** failures : asked * 1_000;
}

function reportRefusal(error: Error): void {
  reportExpiry(error);
  // The workspace requires a second factor by now: its page then explains how to get one.
  if (error instanceof WaymarkError && error.reason === 'second_factor')
    void queryClient.invalidateQueries({ queryKey: queryKeys.session });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportRefusal }),
  mutationCache: new MutationCache({ onError: reportRefusal }),
  defaultOptions: {
    queries: { retry: isWorthRetrying, retryDelay: retryDelayMs, staleTime: STALE_MS },
    // Without a network a change fails at once, instead of waiting for it unseen.
    mutations: { retry: false, gcTime: MUTATION_KEPT_MS, networkMode: 'always' },
  },
});
