import { createWaymarkClient } from '@waymark/client/api';
import { language } from '../texts/language.ts';

export { type Schemas, unwrap, WaymarkError } from '@waymark/client/api';

/** A client of the public API; the browser sends the session cookie. */
export const api = createWaymarkClient({ baseUrl: `${window.location.origin}/v1` });

api.use({
  onRequest({ request }) {
    request.headers.set('Accept-Language', language);
  },
});
