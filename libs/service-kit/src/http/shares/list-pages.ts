import { MEBIBYTE, type Operation, recordOf } from '@waymark/contracts';
import { createAdmission } from '../../jobs/admission.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

const PAGES = 8;
/** No slow list keeps the others of its reader waiting. */
const PAGES_OF_USER = 2;
const LARGE_BYTES = MEBIBYTE;
/**
 * Turns of the event loop between two large pages: Node accepts one connection in each, so that a burst of
 * requests would keep the connection of another caller waiting for as many pages.
 */
const TURNS = 256;

export type EnterPage = ReturnType<typeof listPages>;

/** Reports whether a response to a client may have megabytes: a list, or what its declaration says. */
export const mayBeLarge = ({ method, caller, query, large }: Operation): boolean =>
  caller !== 'service' && (large ?? (method === 'GET' && recordOf(query)?.shape['limit'] !== undefined));
export const isPage = (operation: Operation): boolean => operation.method === 'GET' && mayBeLarge(operation);

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
   * have been served; it takes the length of the page. Throws RATE_LIMITED or SERVICE_UNAVAILABLE at the
   * request's deadline.
   */
  return async function enter({
    principal,
    clientAddress,
    deadlineMs,
    gone,
  }: Pick<RequestContext, 'principal' | 'clientAddress' | 'deadlineMs' | 'gone'>): Promise<
    (bytes?: number) => void
  > {
    const leave = await pages.wait(tenantsOf(principal, clientAddress), deadlineMs, { gone: gone() });
    return (bytes = 0) => afterTurns(bytes < LARGE_BYTES ? 1 : TURNS, leave);
  };
}

function afterTurns(turns: number, run: () => void): void {
  if (turns === 0) run();
  else setImmediate(afterTurns, turns - 1, run);
}
