import type { ResolveMembership } from '@waymark/service-kit/http';
import type { Runtime } from '@waymark/service-kit/runtime';
import type { GatewayResponse } from '../request-state.ts';
import type { Authenticate } from './authenticate.ts';
import { authorizeRequest } from './authorize.ts';

export type CallerChecks = ReturnType<typeof callerChecks>;

/** The interval of checks without an announcement, which notice for example that a key has expired. */
const RECHECK_MS = 1_000;

/**
 * Checks the callers of long requests again: uploads, streams and reads. The announcement of a
 * revocation, a demotion or the end of a session ends their requests.
 */
export function callerChecks(
  { invalidations }: Pick<Runtime, 'invalidations'>,
  { authenticate, resolveMembership }: { authenticate: Authenticate; resolveMembership: ResolveMembership },
) {
  // An array: V8 replaces the table of a Map as requests come and go, and old tables keep theirs in memory.
  const watched: { response: GatewayResponse; end: (error: unknown) => void }[] = [];

  /** Authenticates and authorizes a request again. Throws when its caller may no longer make it. */
  async function confirm(response: GatewayResponse): Promise<void> {
    const { locals } = response;
    if (locals.principal?.type === 'anonymous') return;
    locals.principal = await authenticate(response);
    await authorizeRequest(response, resolveMembership);
  }

  function recheck(): void {
    for (const { response, end } of watched) confirm(response).catch(end);
  }
  invalidations.onChange(recheck);
  const rechecks = setInterval(recheck, RECHECK_MS).unref();

  return {
    confirm,
    /** Calls `end` when the caller may no longer make the request. Returns a function that stops this. */
    watch(response: GatewayResponse, end: (error: unknown) => void): () => void {
      const entry = { response, end };
      const unwatch = () => {
        const index = watched.lastIndexOf(entry);
        if (index >= 0) watched.splice(index, 1);
      };
      watched.push(entry);
      response.once('close', unwatch);
      return unwatch;
    },
    stop: () => clearInterval(rechecks),
  };
}
