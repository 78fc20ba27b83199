/** Requests that were sent before the application has loaded, by URL. */
const sent = new Map<string, Promise<Response>>();

/** Sends a GET request whose response the application will need. */
export function sendEarly(path: string): void {
  const response = fetch(path);
  // The application asks again and reports the failure.
  response.catch(() => sent.delete(new URL(path, location.href).href));
  sent.set(new URL(path, location.href).href, response);
}

/** Returns the response to an early request, once; other requests are sent now. */
export function fetchOnce(request: Request): Promise<Response> {
  const early = request.method === 'GET' ? sent.get(request.url) : undefined;
  sent.delete(request.url);
  return early ?? fetch(request);
}
