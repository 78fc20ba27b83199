import { createWaymarkClient } from '@waymark/client/api';

/** The same public API as everyone's; the session's cookie goes along by itself. */
export const api = createWaymarkClient({ baseUrl: `${window.location.origin}/v1` });
