/// <reference lib="dom" />
import type { Page } from 'playwright-core';

type Call = [method: string, path: string, body?: object];

/** Calls the API from a page, like the page's own script. Returns each call with the status of its answer. */
export function callFrom(page: Page, calls: Call[]): Promise<[call: string, status: number][]> {
  return page.evaluate(
    (all) =>
      Promise.all(
        all.map(async ([method, path, body]): Promise<[string, number]> => {
          const headers = { 'content-type': 'application/json' };
          const init = { method, ...(body && { headers, body: JSON.stringify(body) }) };
          return [`${method} ${path}`, (await fetch(`/v1${path}`, init)).status];
        }),
      ),
    calls,
  );
}
