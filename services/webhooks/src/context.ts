import type { StreamPosition } from '@waymark/service-kit/events';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WebhooksConfig } from './config.ts';
import type { SecretBox } from './endpoints/secret-box.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { Post } from './sending/post.ts';
import type { EndpointKey, WebhookStore } from './store/index.ts';

/** The dependencies that all parts of the service share. */
export interface WebhooksRuntime
  extends Pick<ServiceRuntime, 'call' | 'commit' | 'database' | 'log' | 'now' | 'tracing' | 'workspaces'> {
  config: WebhooksConfig;
  store: WebhookStore;
  box: SecretBox;
  metrics: WebhookMetrics;
}

/** The dependencies of the service's operations. */
export interface WebhooksContext extends WebhooksRuntime {
  /** Throws VALIDATION_ERROR when a URL cannot be delivered to. */
  checkTarget: (url: string) => void;
  /** Returns the position of the latest event in the stream. Rejects while NATS is down. */
  latestPosition: () => Promise<StreamPosition>;
  fetchDocument: Post['get'];
  /** Makes queues read the changed settings before the next attempt; holds or cancels pending deliveries. */
  endpointChanged: (endpoint: EndpointKey) => void;
  /** Tells the endpoint's queue that the store has a due delivery. */
  deliveriesDue: (endpoint: EndpointKey) => void;
}
