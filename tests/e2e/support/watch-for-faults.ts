import type { Page } from 'playwright-core';

/**
 * The browser logs this line for each unsuccessful answer. A refusal by the API is not a fault of the page.
 */
const FAILED_LOAD = 'Failed to load resource';

/** Collects the faults of a page from now on. */
export function watchForFaults(
  page: Page,
  { origin, expects }: { origin: string; expects: RegExp | undefined },
): string[] {
  const faults: string[] = [];
  const note = (fault: string) => {
    if (!expects?.test(fault)) faults.push(fault);
  };
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().startsWith(FAILED_LOAD)) return;
    note(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:';
    if (!isOwn) note(`request to another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isMissingFile = response.status() === 404 && !new URL(response.url()).pathname.startsWith('/v1/');
    if (response.status() >= 500 || isMissingFile) note(`${response.status()} of ${response.url()}`);
  });
  return faults;
}
