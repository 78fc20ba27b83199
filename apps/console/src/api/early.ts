/** Requests that were sent before the application has loaded, by URL. */
const sent = new Map<string, Promise<Response>>();
/** An answer that nobody took by then is out of date. */
const LIFETIME_MS = 10_000;

/** Sends a GET request whose response the application will need. */
export function sendEarly(path: string): void {
  const response = fetch(path);
  const url = new URL(path, location.href).href;
  sent.set(url, response);
  // The application asks again and reports the failure.
  response.catch(() => sent.delete(url));
  setTimeout(() => sent.delete(url), LIFETIME_MS);
}

/** Forgets the answers for the previous user, or for nobody. */
export const dropEarly = () => sent.clear();

/** Returns the response to an early request, once; other requests are sent now. */
export function fetchOnce(request: Request): Promise<Response> {
  const early = request.method === 'GET' ? sent.get(request.url) : undefined;
  sent.delete(request.url);
  return early ?? fetch(request);
}
