import { type Operation, recordOf } from '@waymark/contracts';
import { createAdmission } from '../../jobs/admission.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

const PAGES = 8;
/** No slow list keeps the others of its reader waiting. */
const PAGES_OF_USER = 2;

export type EnterPage = ReturnType<typeof listPages>;

/** Reports whether a response to a client may have megabytes: a list, or what its declaration says. */
export const isPage = ({ method, caller, query, large }: Operation): boolean =>
  method === 'GET' && caller !== 'service' && (large ?? recordOf(query)?.shape['limit'] !== undefined);

/**
 * Limits how many pages a service makes at once in a process: 16 MiB of a list take memory, and time in which
 * no other request is served. A page counts until it is made, not while a client reads it.
 */
export function listPages(metrics: Pick<Metrics, 'admission'>) {
  const pages = createAdmission({
    ...metrics.admission('pages'),
    what: 'pages of lists',
    total: PAGES,
    small: PAGES_OF_USER,
  });

  /**
   * Waits until the page may be made. Returns the function that lets another one begin, after other requests
   * have been served. Throws RATE_LIMITED or SERVICE_UNAVAILABLE at the request's deadline.
   */
  return async function enter({
    principal,
    clientAddress,
    deadlineMs,
    gone,
  }: Pick<RequestContext, 'principal' | 'clientAddress' | 'deadlineMs' | 'gone'>): Promise<() => void> {
    const leave = await pages.wait(tenantsOf(principal, clientAddress), deadlineMs, { gone: gone() });
    return () => void setImmediate(leave);
  };
}
