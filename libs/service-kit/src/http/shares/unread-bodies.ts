import type { ServerResponse } from 'node:http';
import { KIBIBYTE, MEBIBYTE } from '@waymark/contracts';
import { createAdmission } from '../../jobs/admission.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

/** A process has 512 MiB by default. Responses that have begun may come on top. */
const UNREAD_BYTES = 128 * MEBIBYTE;
/** What each caller may have of the reserve, such as a list of usual records. */
const BYTES_OF_USER = 4 * MEBIBYTE;
/** Shorter bodies are not counted, because the gateway bounds the requests in flight. */
const COUNTED_BYTES = 256 * KIBIBYTE;

export type UnreadBodies = ReturnType<typeof unreadBodies>;
type Caller = Pick<RequestContext, 'principal' | 'clientAddress'>;

/** Limits the memory for the bodies of responses that clients have not read yet. */
export function unreadBodies(metrics: Pick<Metrics, 'admission'>) {
  const unread = createAdmission({
    ...metrics.admission('unread_bytes'),
    what: 'memory for responses that are being read',
    total: UNREAD_BYTES,
    small: BYTES_OF_USER,
  });

  return {
    /**
     * Waits, before a response that may be large is made, until its caller may leave one unread. Throws
     * RATE_LIMITED or SERVICE_UNAVAILABLE at the request's deadline.
     */
    async waitForShare(ctx: Caller & Pick<RequestContext, 'deadlineMs' | 'gone'>): Promise<void> {
      const { principal, clientAddress, deadlineMs, gone } = ctx;
      const tenants = tenantsOf(principal, clientAddress);
      const leave = await unread.wait(tenants, deadlineMs, { amount: COUNTED_BYTES, gone: gone() });
      leave();
    },
    /**
     * Counts a body until it is read or the client has gone. Throws RATE_LIMITED or SERVICE_UNAVAILABLE
     * instead of the answer to a read that has not waited.
     */
    count(
      { operation, principal, clientAddress }: Caller & Pick<RequestContext, 'operation'>,
      response: ServerResponse,
      bytes: number,
      hasWaited: boolean,
    ): void {
      if (bytes < COUNTED_BYTES || operation.caller === 'service') return;
      const tenants = tenantsOf(principal, clientAddress);
      const take = operation.method === 'GET' && !hasWaited ? unread.enter : unread.hold;
      const read = take(tenants, bytes);
      if (response.destroyed) read();
      else response.once('close', read);
    },
  };
}
