import type { Schemas } from '@waymark/client/api';
import { onRenewal } from './expiry.ts';

export type LiveEvent = Schemas['LiveEvent'];
export type WorkflowViewer = Schemas['WorkflowViewer'];

/** Whether live events arrive; `refused` if the server denies them to this session. */
export type Liveness = 'connecting' | 'live' | 'refused';

const RECONNECT_MS = 5_000;

interface Listener {
  onEvent?: (event: LiveEvent) => void;
  /** Somebody opened a workflow, selected another node or left. */
  onPresence?: (viewer: WorkflowViewer) => void;
  /** The inbox of the user has changed. */
  onInbox?: () => void;
  /** Events may have been missed: read everything again. */
  onGap?: () => void;
  onLiveness?: (liveness: Liveness) => void;
  /** Called when the stream was refused. A permanent refusal is not retried. */
  isRefused: () => Promise<boolean>;
}

/** The streams of this page by workspace: its parts share one, as browsers allow six connections per host. */
const streams = new Map<string, { source: EventSource; users: number }>();

function join(workspaceId: string): EventSource {
  const known = streams.get(workspaceId);
  const source = known?.source ?? new EventSource(`/v1/events?workspaceId=${workspaceId}`);
  streams.set(workspaceId, { source, users: (known?.users ?? 0) + 1 });
  return source;
}

function leave(workspaceId: string, source: EventSource): void {
  const known = streams.get(workspaceId);
  if (known?.source !== source) return;
  known.users -= 1;
  if (known.users === 0) end(workspaceId, source);
}

function end(workspaceId: string, source: EventSource): void {
  source.close();
  if (streams.get(workspaceId)?.source === source) streams.delete(workspaceId);
}

/**
 * Follows a workspace's changes while the page is visible, until the returned function is called.
 * Background tabs would use up the browser's connections.
 */
export function followLiveEvents(workspaceId: string, listener: Listener): () => void {
  let closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    closing = new AbortController();
    const { signal } = closing;
    const source = join(workspaceId);
    signal.addEventListener('abort', () => leave(workspaceId, source));
    const on = (type: string, hear: (event: MessageEvent<string>) => void) =>
      source.addEventListener(type, hear, { signal });
    const ready = (isResumed: boolean) => {
      // The first time too: the page was read before the stream started.
      if (!isResumed) listener.onGap?.();
      listener.onLiveness?.('live');
    };
    on('message', ({ data }) => listener.onEvent?.(JSON.parse(data) as LiveEvent));
    on('presence', ({ data }) => listener.onPresence?.(JSON.parse(data) as WorkflowViewer));
    on('inbox', () => listener.onInbox?.());
    on('reset', () => listener.onGap?.());
    on('ready', ({ data }) => ready((JSON.parse(data) as { resumed: boolean }).resumed));
    on('error', () => {
      listener.onLiveness?.('connecting');
      // Otherwise the browser connects again by itself.
      if (source.readyState !== EventSource.CLOSED) return;
      end(workspaceId, source);
      void retry(signal);
    });
    // Another part of the page has opened it before.
    if (source.readyState === EventSource.OPEN) ready(false);
  }

  async function retry(refused: AbortSignal): Promise<void> {
    const isRefused = await listener.isRefused();
    if (refused.aborted) return;
    if (isRefused) listener.onLiveness?.('refused');
    // A rate limit or an outage is temporary.
    else timer = setTimeout(open, RECONNECT_MS);
  }

  function close(): void {
    clearTimeout(timer);
    closing.abort();
  }

  function begin(): void {
    close();
    listener.onLiveness?.('connecting');
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
