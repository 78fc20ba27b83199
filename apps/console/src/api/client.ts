import { createWaymarkClient } from '@waymark/client/api';

/** A client of the public API; the browser sends the session cookie. */
export const api = createWaymarkClient({ baseUrl: `${window.location.origin}/v1` });
