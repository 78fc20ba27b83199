/** Slower than any answer on a busy machine. */
export const ANSWER_LIMIT_MS = 60_000;

/** A small API client for the demo. Throws an error with the service's message. */
export async function callApi<T>(
  url: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ body: T; cookie: string | null }> {
  const response = await fetch(url, {
    method: options.method ?? 'GET',
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${url} answered ${response.status}: ${text}`);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? null;
  return { body: (text === '' ? undefined : JSON.parse(text)) as T, cookie };
}

/** Sends a request as somebody, and returns the body of the answer. */
export type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

export const callsOf =
  (baseUrl: string, headers: Record<string, string>): Call =>
  async <T>(method: string, path: string, body?: object) =>
    (await callApi<T>(baseUrl + path, { method, headers, body })).body;
