import type { Schemas } from '@waymark/client/api';
import { onRenewal } from './expiry.ts';

export type LiveEvent = Schemas['LiveEvent'];

const RECONNECT_MS = 5_000;

interface Listener {
  onEvent: (event: LiveEvent) => void;
  /** Something may have been missed: everything is to be read again. */
  onGap: () => void;
  onLive: (isLive: boolean) => void;
  /** Asked when the stream was refused: an ended session does not come back by itself. */
  isSessionOver: () => Promise<boolean>;
}

/**
 * Follows what changes in a workspace until the returned function is called, while the page is seen: browsers allow few connections
 * to a host, which tabs in the background would use up. The browser resumes a broken stream by itself.
 */
export function followLiveEvents(workspaceId: string, listener: Listener): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const opened = new EventSource(`/v1/events?workspaceId=${workspaceId}`);
    source = opened;
    opened.onmessage = ({ data }) => listener.onEvent(JSON.parse(data) as LiveEvent);
    opened.addEventListener('ready', ({ data }) => {
      const { resumed } = JSON.parse(data) as { resumed: boolean };
      // The first time too: what the page shows was read before the stream began.
      if (!resumed) listener.onGap();
      listener.onLive(true);
    });
    opened.addEventListener('reset', () => listener.onGap());
    opened.onerror = () => {
      listener.onLive(false);
      if (opened.readyState === EventSource.CLOSED) void retry(opened);
    };
  }

  /** After a refusal the browser gives up: a limit or an outage may pass. */
  async function retry(refused: EventSource): Promise<void> {
    const isOver = await listener.isSessionOver();
    if (source === refused && !isOver) timer = setTimeout(open, RECONNECT_MS);
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function begin(): void {
    close();
    listener.onLive(false);
    if (document.visibilityState !== 'hidden') open();
  }

  begin();
  document.addEventListener('visibilitychange', begin);
  const endRenewal = onRenewal(begin);
  return () => {
    document.removeEventListener('visibilitychange', begin);
    endRenewal();
    close();
  };
}
