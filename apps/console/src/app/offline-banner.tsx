import { useSyncExternalStore } from 'react';
import { isOffline, onConnection } from '../api/connection.ts';
import { appTexts as t } from '../texts/app.ts';

/** Says above the page that there is no connection. */
export function OfflineBanner() {
  const offline = useSyncExternalStore(onConnection, isOffline);
  return (
    <div role="status" className="offline-banner">
      {offline && t.offline}
    </div>
  );
}
