import { createWaymarkClient } from '@waymark/client/api';
import { fetchOnce } from './early.ts';

/** A client of the public API; the browser sends the session cookie. */
export const api = createWaymarkClient({ baseUrl: `${window.location.origin}/v1`, fetch: fetchOnce });
