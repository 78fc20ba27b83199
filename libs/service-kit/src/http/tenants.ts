import type { Principal } from '@waymark/contracts';
import type { Tenants } from '../jobs/admission.ts';
import { clientNetwork } from './client-network.ts';

/**
 * Returns whom a caller's use of a bounded resource counts against: the user or service account, the
 * workspace of a key or of the membership that was looked up, and the network. Without credentials, the
 * network alone.
 */
export function tenantsOf(principal: Principal | null, clientAddress: string | null): Tenants {
  const network = `network ${clientNetwork(clientAddress)}`;
  if (principal?.type === 'api_key')
    return [`user ${principal.user_id}`, `workspace ${principal.workspace_id}`, network];
  if (principal?.type !== 'session') return [network];
  const { user_id, membership } = principal;
  return [`user ${user_id}`, ...(membership ? [`workspace ${membership.workspace_id}`] : []), network];
}
