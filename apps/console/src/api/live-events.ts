import type { Schemas } from '@waymark/client/api';
import { openStream } from './event-stream.ts';
import { onRenewal } from './expiry.ts';

export type LiveEvent = Schemas['LiveEvent'];

/** Whether changes are heard as they happen; `refused` when the server says that they are not for this session. */
export type Liveness = 'connecting' | 'live' | 'refused';

const RECONNECT_MS = 5_000;

interface Listener {
  onEvent: (event: LiveEvent) => void;
  /** Something may have been missed: everything is to be read again. */
  onGap: () => void;
  onLiveness: (liveness: Liveness) => void;
  /** Asked when the stream was refused; what is refused for good is not asked for again by itself. */
  isRefused: () => Promise<boolean>;
}

/**
 * Follows what changes in a workspace until the returned function is called, while the page is seen: tabs in the background would
 * use up the few connections that a browser allows.
 */
export function followLiveEvents(workspaceId: string, listener: Listener): () => void {
  let closeStream = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the streams: what is learned about one that is over changes nothing. */
  let current = 0;

  function open(): void {
    current += 1;
    const mine = current;
    closeStream = openStream(workspaceId, {
      onMessage: (data) => listener.onEvent(JSON.parse(data) as LiveEvent),
      onReady(resumed) {
        // The first time too: what the page shows was read before the stream began.
        if (!resumed) listener.onGap();
        listener.onLiveness('live');
      },
      onReset: listener.onGap,
      onBroken: () => listener.onLiveness('connecting'),
      onRefused() {
        listener.onLiveness('connecting');
        void retry(mine);
      },
    });
  }

  async function retry(refused: number): Promise<void> {
    const isRefused = await listener.isRefused();
    if (refused !== current) return;
    if (isRefused) listener.onLiveness('refused');
    // A limit or an outage may pass.
    else timer = setTimeout(open, RECONNECT_MS);
  }

  function close(): void {
    clearTimeout(timer);
    current += 1;
    closeStream();
    closeStream = () => {};
  }

  function begin(): void {
    close();
    listener.onLiveness('connecting');
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
