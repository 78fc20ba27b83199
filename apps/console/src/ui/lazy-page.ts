import { lazyRouteComponent } from '@tanstack/react-router';
import { reportUnreachable } from '../api/connection.ts';

const RETRY_MS = 3_000;

/**
 * A page that is loaded when it is opened. Without a connection it waits for one: the router would reload
 * the address, which ends in the browser's error page.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => whenConnected(load), name);

async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // The file is gone because the console has another version: the router reloads the page.
    if (await isReachable()) throw error;
    const reachable = reportUnreachable();
    await reconnected();
    reachable();
    return whenConnected(load);
  }
}

const isReachable = () =>
  // A file that every version has; a script gets no page at /.
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
