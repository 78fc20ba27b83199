import type { ServerResponse } from 'node:http';
import { KIBIBYTE, MEBIBYTE } from '@waymark/contracts';
import { createAdmission } from '../../jobs/admission.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

/** A process has 512 MiB by default. Responses that have begun may come on top. */
const UNREAD_BYTES = 128 * MEBIBYTE;
/** What each caller may have of the reserve, such as a list of usual records or the results of a batch. */
const BYTES_OF_USER = 4 * MEBIBYTE;
/** Shorter bodies are not counted, because the gateway bounds the requests in flight. */
const COUNTED_BYTES = 256 * KIBIBYTE;

export type UnreadBodies = ReturnType<typeof unreadBodies>;
type Caller = Pick<RequestContext, 'operation' | 'principal' | 'clientAddress' | 'deadlineMs' | 'gone'>;

/** Limits the memory for the bodies of responses that clients have not read yet. */
export function unreadBodies(metrics: Pick<Metrics, 'admission'>) {
  const unread = createAdmission({
    ...metrics.admission('unread_bytes'),
    what: 'memory for responses that are being read',
    total: UNREAD_BYTES,
    small: BYTES_OF_USER,
  });

  const tenants = ({ principal, clientAddress }: Caller) => tenantsOf(principal, clientAddress);
  const wait = (ctx: Caller, amount: number) =>
    unread.wait(tenants(ctx), ctx.deadlineMs, { amount, gone: ctx.gone() });

  return {
    /**
     * Waits, before a change whose response may be large, for a share of the memory. Returns the function
     * that gives it back when the response is counted. Throws RATE_LIMITED or SERVICE_UNAVAILABLE at the
     * request's deadline.
     */
    reserve: (ctx: Caller): Promise<() => void> => wait(ctx, BYTES_OF_USER),
    /**
     * Counts a body until it is read or the client has gone. A read waits for its share first, and throws as
     * `reserve`.
     */
    async count(ctx: Caller, response: ServerResponse, bytes: number): Promise<void> {
      const { method, caller } = ctx.operation;
      if (bytes < COUNTED_BYTES || caller === 'service') return;
      const read = method === 'GET' ? await wait(ctx, bytes) : unread.hold(tenants(ctx), bytes);
      if (response.destroyed) read();
      else response.once('close', read);
    },
  };
}
