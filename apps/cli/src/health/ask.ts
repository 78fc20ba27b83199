import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface AskOptions extends Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized'> {
  limitMs: number;
  headers?: Record<string, string>;
}

/** Sends a GET request. Resolves with null without a whole answer within `limitMs`. */
export function ask(url: URL | string, { limitMs, ...options }: AskOptions): Promise<Answer | null> {
  const { get } = String(url).startsWith('https:') ? https : http;
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const request = get(url, { ...options, agent: false, signal: AbortSignal.timeout(limitMs) }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    response.on('error', () => resolve(null));
  });
  request.on('error', () => resolve(null));
  return promise;
}

/** Asks again once, a second later: an answer that is late on a busy machine is no outage. */
export async function twice<T>(ask: () => Promise<T>, pause = () => delay(1_000)): Promise<T> {
  try {
    return await ask();
  } catch {
    await pause();
    return ask();
  }
}
