import { tenantsOf } from '@waymark/service-kit/http';
import type { Admission } from '@waymark/service-kit/jobs';
import type { GatewayResponse } from '../request-state.ts';

/** The client has disconnected, so that no response can be sent. */
export class ClientGone extends Error {}

/** Takes a place for a request until its response has ended. Throws ClientGone, and as `admission.enter`. */
export function holdPlace(admission: Admission, response: GatewayResponse): void {
  // A response that is closed already emits no event that would give the place back.
  if (response.destroyed) throw new ClientGone();
  const { principal, clientAddress } = response.locals;
  response.once('close', admission.enter(tenantsOf(principal, clientAddress)));
}
