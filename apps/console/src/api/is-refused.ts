import { api, WaymarkError } from './client.ts';
import { reportExpiry } from './expiry.ts';

const REFUSALS = [401, 403, 404];

/**
 * Asks the server whether this session has lost access to the workspace, and calls `onRefused` with the
 * reason. Expiry listeners are notified of an expired session. An outage changes nothing.
 */
export async function isRefused(workspaceId: string, onRefused: (error: Error) => void): Promise<boolean> {
  try {
    await api.get('/workspaces/{id}', { id: workspaceId });
    return false;
  } catch (error) {
    if (!(error instanceof WaymarkError) || !REFUSALS.includes(error.status)) return false;
    if (!reportExpiry(error)) onRefused(error);
    return true;
  }
}
