import type { Schemas } from '@waymark/client/api';
import { openStream } from './event-stream.ts';
import { onRenewal } from './expiry.ts';

export type LiveEvent = Schemas['LiveEvent'];
export type WorkflowViewer = Schemas['WorkflowViewer'];

/** Whether live events arrive; `refused` if the server denies them to this session. */
export type Liveness = 'connecting' | 'live' | 'refused';

const RECONNECT_MS = 5_000;

interface Listener {
  onEvent: (event: LiveEvent) => void;
  /** Somebody opened a workflow, selected another node or left. */
  onPresence?: (viewer: WorkflowViewer) => void;
  /** The inbox of the user has changed. */
  onInbox?: () => void;
  /** Events may have been missed: read everything again. */
  onGap: () => void;
  onLiveness: (liveness: Liveness) => void;
  /** Called when the stream was refused. A permanent refusal is not retried. */
  isRefused: () => Promise<boolean>;
}

/**
 * Follows a workspace's changes while the page is visible, until the returned function is called.
 * Background tabs would use up the browser's connections.
 */
export function followLiveEvents(workspaceId: string, listener: Listener): () => void {
  let closeStream = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Numbers the streams: results about a closed stream are ignored. */
  let current = 0;

  function open(): void {
    current += 1;
    const mine = current;
    closeStream = openStream(workspaceId, (message) => {
      if (message.kind === 'message') listener.onEvent(JSON.parse(message.data) as LiveEvent);
      else if (message.kind === 'presence') listener.onPresence?.(JSON.parse(message.data) as WorkflowViewer);
      else if (message.kind === 'inbox') listener.onInbox?.();
      else if (message.kind === 'reset') listener.onGap();
      else if (message.kind === 'ready') {
        // The first time too: the page was read before the stream started.
        if (!message.resumed) listener.onGap();
        listener.onLiveness('live');
      } else {
        listener.onLiveness('connecting');
        if (message.kind === 'refused') void retry(mine);
      }
    });
  }

  async function retry(refused: number): Promise<void> {
    const isRefused = await listener.isRefused();
    if (refused !== current) return;
    if (isRefused) listener.onLiveness('refused');
    // A rate limit or an outage is temporary.
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
