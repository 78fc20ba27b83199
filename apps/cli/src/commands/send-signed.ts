import { limits, signedWebhookHeaders } from '@waymark/contracts';
import { usageError } from '../failures/command-error.ts';

const USER_AGENT = 'Waymark-Listen/1';

/** The outcome of a request to a receiver: its status, or why there is none. */
type Outcome = { status: number; afterMs: number } | { failure: string };

export const outcomeOf = (outcome: Outcome): string =>
  'failure' in outcome ? outcome.failure : `${outcome.status} in ${outcome.afterMs} ms`;

/** Sends an event once to a URL, signed like a delivery of a webhook. */
export async function sendSigned(
  payload: { id: string; type: string },
  { url, secret, prefix, signal }: { url: string; secret: string; prefix: string; signal?: AbortSignal },
): Promise<Outcome> {
  const { id, type } = payload;
  const body = Buffer.from(JSON.stringify(payload));
  const atMs = Date.now();
  const signed = signedWebhookHeaders({ id, event_type: type }, body, { prefix, atMs, secrets: [secret] });
  const timeoutMs = limits.webhookAttemptTimeoutMs;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...signed, 'user-agent': USER_AGENT },
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    await answer.body?.cancel();
    return { status: answer.status, afterMs: Date.now() - atMs };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (name === 'TimeoutError') return { failure: `no answer within ${timeoutMs} ms` };
    return { failure: `not received: ${cause?.code ?? cause?.message ?? message}` };
  }
}

/** Returns the URL to send events to. Throws CommandError unless it is http or https, without a password. */
export function targetOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  const example = 'such as http://localhost:3000/hook';
  throw usageError(`--forward-to is not a URL: give one ${example}`);
}
