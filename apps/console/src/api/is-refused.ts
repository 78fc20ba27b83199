import { unwrap, WaymarkError } from '@waymark/client/api';
import { api } from './client.ts';
import { reportExpiry } from './expiry.ts';

const REFUSALS = [401, 403, 404];

/**
 * Asks the server whether the workspace is closed to this session for good, and tells `onRefused` why. That the session is over,
 * whoever listens for that is told. An outage says nothing of it.
 */
export async function isRefused(workspaceId: string, onRefused: (error: Error) => void): Promise<boolean> {
  try {
    await unwrap(api.GET('/workspaces/{id}', { params: { path: { id: workspaceId } } }));
    return false;
  } catch (error) {
    if (!(error instanceof WaymarkError) || !REFUSALS.includes(error.status)) return false;
    if (!reportExpiry(error)) onRefused(error);
    return true;
  }
}
