import { createWaymarkClient } from '@waymark/client/api';
import { language } from '../texts/language.ts';
import { callsOf } from './calls.ts';

export { type Schemas, WaymarkError } from '@waymark/client/api';
// expiry.ts imports it from there: its tests have no window.
export { hasCode } from './calls.ts';

/** The browser sends the session cookie. */
const client = createWaymarkClient({ baseUrl: `${window.location.origin}/v1` });
client.use({
  onRequest({ request }) {
    request.headers.set('Accept-Language', language);
  },
});

/** The calls of the public API. */
export const api = callsOf(client);
