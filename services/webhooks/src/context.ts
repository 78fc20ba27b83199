import type { Commit } from '@waymark/service-kit/store';
import type { WebhooksConfig } from './config.ts';
import type { SecretBox } from './endpoints/secret-box.ts';
import type { EndpointKey, WebhookStore } from './store/index.ts';

/** The dependencies of the service's operations. */
export interface WebhooksContext {
  store: WebhookStore;
  commit: Commit;
  config: Pick<WebhooksConfig, 'webhookEndpointsPerWorkspace' | 'webhookMaxAttempts'>;
  now: () => number;
  box: SecretBox;
  /** Throws VALIDATION_ERROR when a URL cannot be delivered to. */
  checkTarget: (url: string) => Promise<void>;
  /** Makes queues read changed settings before the next attempt, and holds or cancels pending deliveries. */
  endpointChanged: (endpoint: EndpointKey) => void;
  /** Tells the endpoint's queue that the store has a due delivery. */
  deliveriesDue: (endpoint: EndpointKey) => void;
}
