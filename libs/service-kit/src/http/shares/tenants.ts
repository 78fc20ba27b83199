import type { Principal } from '@waymark/contracts';
import type { Tenants } from '../../jobs/admission.ts';
import { clientNetworks } from '../client-network.ts';

/**
 * Returns whom a caller's use of a bounded resource counts against: the user or service account, the
 * workspace of a key or of the membership that was looked up, and the networks. Without credentials, the
 * networks alone.
 */
export function tenantsOf(principal: Principal | null, clientAddress: string | null): Tenants {
  const networks = clientNetworks(clientAddress).map((network) => `network ${network}`);
  if (principal?.type === 'api_key')
    return [`user ${principal.user_id}`, `workspace ${principal.workspace_id}`, ...networks];
  if (principal?.type !== 'session') return networks;
  const { user_id, membership } = principal;
  return [`user ${user_id}`, ...(membership ? [`workspace ${membership.workspace_id}`] : []), ...networks];
}
