import type { ServerResponse } from 'node:http';
import { KIBIBYTE, MEBIBYTE } from '@waymark/contracts';
import { createAdmission } from '../../jobs/admission.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

/** A process has 512 MiB by default: its heap may take half of them. */
const UNREAD_BYTES = 192 * MEBIBYTE;
/** What each caller may have of the reserve, such as a list of usual records. */
const BYTES_OF_USER = 4 * MEBIBYTE;
/** Shorter bodies are not counted, because the gateway bounds the requests in flight. */
const COUNTED_BYTES = 256 * KIBIBYTE;

export type CountUnread = ReturnType<typeof unreadBodies>;

/** Limits the memory for the bodies of responses that clients have not read yet. */
export function unreadBodies(metrics: Pick<Metrics, 'admission'>) {
  const unread = createAdmission({
    ...metrics.admission('unread_bytes'),
    what: 'memory for responses that are being read',
    total: UNREAD_BYTES,
    small: BYTES_OF_USER,
  });

  /**
   * Counts a body until it is read or the client has gone. Throws RATE_LIMITED or SERVICE_UNAVAILABLE instead
   * of the answer to a read. A change was made, so it is answered beyond the share too.
   */
  return function count(
    {
      operation,
      principal,
      clientAddress,
    }: Pick<RequestContext, 'operation' | 'principal' | 'clientAddress'>,
    response: ServerResponse,
    bytes: number,
  ): void {
    if (bytes < COUNTED_BYTES || operation.caller === 'service') return;
    const tenants = tenantsOf(principal, clientAddress);
    const read = operation.method === 'GET' ? unread.enter(tenants, bytes) : unread.hold(tenants, bytes);
    if (response.destroyed) read();
    else response.once('close', read);
  };
}
