import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { Announce } from './announce.ts';
import type { Store } from './store/index.ts';

export interface NotificationsContext extends Pick<ServiceRuntime, 'call' | 'now' | 'checkpoint'> {
  store: Store;
  /** Tells of changed inboxes; what is new in them is handed over to be mailed. */
  announce: Announce;
}
