import { useSyncExternalStore } from 'react';
import { isOffline, onConnection, secondsToLimit } from '../api/connection.ts';
import { appTexts as t } from '../texts/app.ts';

function onConnectionOrSecond(listener: () => void): () => void {
  const stop = onConnection(listener);
  const timer = setInterval(listener, 1_000);
  return () => {
    stop();
    clearInterval(timer);
  };
}

/** Says above the page that there is no connection, or how long the rate limit delays what is loaded. */
export function OfflineBanner() {
  const offline = useSyncExternalStore(onConnection, isOffline);
  const seconds = useSyncExternalStore(onConnectionOrSecond, secondsToLimit);
  return (
    <div role="status" className="offline-banner">
      {offline ? t.offline : seconds > 0 && t.limited(seconds)}
    </div>
  );
}
