import { type Operation, recordOf } from '@waymark/contracts';
import { createAdmission } from '../jobs/admission.ts';
import type { Metrics } from '../process/metrics.ts';
import type { RequestContext } from './request-context.ts';
import { tenantsOf } from './tenants.ts';

/** Two of a user or network, so that no slow list keeps the others of its reader waiting. */
const PAGES_AT_ONCE = 4;

export type PageTurns = ReturnType<typeof pageTurns>;

/** Reports whether a response to a client may have megabytes: a list, or what its declaration says. */
export const isPage = ({ method, caller, query, large }: Operation): boolean =>
  method === 'GET' && caller !== 'service' && (large ?? recordOf(query)?.shape['limit'] !== undefined);

/**
 * Limits how many pages a process makes at once: 16 MiB of a list take memory, and time in which no other
 * request is served. No turn is held while a client reads slowly.
 */
export function pageTurns(metrics: Pick<Metrics, 'admission'>) {
  const pages = createAdmission({
    ...metrics.admission('pages'),
    what: 'pages of lists',
    total: PAGES_AT_ONCE,
    small: 1,
  });

  /** Waits for a turn. Returns the function that ends it after other requests have been served. */
  return async function begin({
    principal,
    clientAddress,
    deadlineMs,
    gone,
  }: Pick<RequestContext, 'principal' | 'clientAddress' | 'deadlineMs' | 'gone'>): Promise<() => void> {
    const end = await pages.wait(tenantsOf(principal, clientAddress), deadlineMs, { gone: gone() });
    return () => void setImmediate(end);
  };
}
