import { failureLog } from '@waymark/service-kit/process';
import type { WebhooksRuntime } from '../context.ts';
import { isRotating } from '../endpoints/webhook-view.ts';
import type { EndpointRecord } from '../store/index.ts';

/**
 * Returns the function that decrypts the secrets that sign for an endpoint, once for each reading of it: the
 * deliveries of a burst share them. Null if that is not possible: such deliveries stay due without a lease,
 * which would hide how long they wait.
 */
export function createSecretReader({ box, now, log }: Pick<WebhooksRuntime, 'box' | 'now' | 'log'>) {
  const message = 'the secret of a webhook cannot be decrypted; its deliveries wait';
  const unreadable = failureLog(log, message, { level: 'error' });
  const known = new WeakMap<EndpointRecord, string[] | null>();

  function decrypt(endpoint: EndpointRecord): string[] | null {
    const { id, secret, previous_secret } = endpoint;
    const previous = isRotating(endpoint, now()) && previous_secret ? [previous_secret] : [];
    try {
      return [...previous, secret].map((encrypted) => box.decrypt(id, encrypted));
    } catch (error) {
      unreadable.onError(error, { webhook_id: id });
      return null;
    }
  }

  return (endpoint: EndpointRecord): string[] | null => {
    if (!known.has(endpoint)) known.set(endpoint, decrypt(endpoint));
    return known.get(endpoint) ?? null;
  };
}
