import type { EventEnvelope } from '@waymark/contracts';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { Store } from './store/index.ts';

export interface NotificationsContext
  extends Pick<ServiceRuntime, 'call' | 'now' | 'checkpoint' | 'workspaces'> {
  store: Store;
  /** Tells the gateways which inboxes have changed, and begins to mail their new notifications. */
  announce: (userIds: readonly string[]) => void;
}

/** An event of a workspace. */
export interface HandledEvent extends EventEnvelope {
  workspaceId: string;
}
