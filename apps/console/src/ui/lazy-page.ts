import { lazyRouteComponent } from '@tanstack/react-router';
import { lazy } from 'react';
import { reportUnreachable } from '../api/connection.ts';

const RETRY_MS = 3_000;

/** Links whose file did not load. Vite adds each style sheet once: the page would open without it later. */
const failed = new Set<Element>();
addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && failed.add(target), true);

/**
 * A page that is loaded when it is opened. Without a connection it waits for one: the router would reload
 * the address, which ends in the browser's error page.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => whenConnected(load), name);

/** A part that is loaded when it is shown. It waits for a connection as well: React would keep the error. */
export const lazyPart: typeof lazy = (load) => lazy(() => whenConnected(load));

async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  for (const link of failed) link.replaceWith(link.cloneNode());
  failed.clear();
  try {
    return await load();
  } catch (error) {
    // The file is gone because the console has another version. The router reloads the page for errors that
    // begin with these words; the error of a style sheet has others.
    if (await isReachable()) throw new Error(`Failed to fetch dynamically imported module: ${error}`);
    const reachable = reportUnreachable();
    await reconnected();
    reachable();
    return whenConnected(load);
  }
}

const isReachable = () =>
  // Every version has this file. At /, the gateway serves the page to navigations only, and 404 to fetch.
  fetch('/waymark.svg', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

function reconnected(): Promise<void> {
  return new Promise((resolve) => {
    const retry = () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
      resolve();
    };
    const timer = setTimeout(retry, RETRY_MS);
    addEventListener('online', retry);
  });
}
