import type { Schemas } from '@waymark/client/api';

export type LiveEvent = Schemas['LiveEvent'];

const RECONNECT_MS = 5_000;

/**
 * Follows what changes in a workspace until the returned function is called. The browser resumes a broken stream by itself;
 * `onGap` says that something may have been missed and everything is to be read again.
 */
export function followLiveEvents(
  workspaceId: string,
  listener: { onEvent: (event: LiveEvent) => void; onGap: () => void; onLive: (isLive: boolean) => void },
): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasReady = false;

  function open(): void {
    source = new EventSource(`/v1/events?workspaceId=${workspaceId}`);
    source.onmessage = ({ data }) => listener.onEvent(JSON.parse(data) as LiveEvent);
    source.addEventListener('ready', ({ data }) => {
      const { resumed } = JSON.parse(data) as { resumed: boolean };
      if (wasReady && !resumed) listener.onGap();
      wasReady = true;
      listener.onLive(true);
    });
    source.addEventListener('reset', listener.onGap);
    source.onerror = () => {
      listener.onLive(false);
      // After a refusal the browser gives up: the session may be back later, or a limit have passed.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS);
    };
  }

  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
