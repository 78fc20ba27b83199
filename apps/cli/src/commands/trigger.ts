import {
  exampleData,
  makeWebhookSecret,
  newId,
  type SubscribableEventType,
  subscribableEventTypes,
} from '@waymark/contracts';
import { CommandError, usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { outcomeOf, sendSigned, targetOf } from './send-signed.ts';

export interface TriggerOptions {
  forwardTo: string;
  headerPrefix: string;
}

const SECRET = 'WEBHOOK_SECRET';

/**
 * Sends an example of an event to a URL, signed like a delivery of a webhook, without any server of Waymark.
 * Throws CommandError unless the receiver accepts it.
 */
export async function trigger(type: string, options: TriggerOptions, terminal: Terminal): Promise<void> {
  if (!isSubscribable(type)) {
    throw usageError(`webhooks carry no event of the type ${type}; waymark webhooks event-types lists them`);
  }
  const url = targetOf(options.forwardTo);
  const given = terminal.env[SECRET];
  if (given && !given.startsWith('whsec_'))
    throw usageError(`${SECRET} is not the signing secret of a webhook`);
  const secret = given || makeWebhookSecret();
  if (!given) terminal.out(`signing secret of this request: ${secret}`);
  const payload = {
    id: newId(),
    type,
    created_at: new Date().toISOString(),
    workspace_id: newId(),
    test: true,
    data: exampleData(type),
  };
  const outcome = await sendSigned(payload, { url, secret, prefix: options.headerPrefix });
  const line = `${type}: ${outcomeOf(outcome)}`;
  const isAccepted = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
  if (!isAccepted) throw new CommandError(line);
  terminal.out(line);
}

const isSubscribable = (type: string): type is SubscribableEventType =>
  subscribableEventTypes.some((known) => known === type);
