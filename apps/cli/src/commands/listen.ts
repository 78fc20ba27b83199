import { setTimeout as delay } from 'node:timers/promises';
import { createWaymarkClient, unwrap, WaymarkError } from '@waymark/client';
import { events, isForReaders, type LoggedEvent, limits, makeWebhookSecret } from '@waymark/contracts';
import { usageError } from '../failures/command-error.ts';
import { callFailure } from '../output/call-failure.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { outcomeOf, sendSigned, targetOf } from './send-signed.ts';

export interface ListenOptions {
  forwardTo?: string | undefined;
  /** Whether to print each event as a line of JSON. */
  print?: boolean;
  /** The types of the events; all without it. */
  events?: string[];
  /** How many of the latest events are sent first. */
  replay: number;
  headerPrefix: string;
}

/** Replacements that a test injects. */
export interface ListenSeams {
  fetch?: (request: Request) => Promise<Response>;
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const RETRY_MS = { first: 1_000, most: 30_000 };

/**
 * Sends the events of the workspace to a URL, signed like deliveries of a webhook, or prints them, until it
 * is interrupted. Throws CommandError when the server refuses the request.
 */
export async function listen(
  options: ListenOptions,
  { baseUrl, apiKey, workspaceId }: Connection,
  terminal: Terminal,
  seams: ListenSeams = {},
): Promise<void> {
  const { fetch, pause = (ms, stop) => delay(ms, undefined, { signal: stop }) } = seams;
  const url = options.forwardTo === undefined ? null : targetOf(options.forwardTo);
  if (!url && !options.print) throw usageError('give --forward-to <url>, --print, or both');
  const unknown = options.events?.find((type) => !(type in events));
  if (unknown !== undefined) throw usageError(`--events: no event has the type ${unknown}`);
  /** The standard output of --print has events only. */
  const say = options.print ? terminal.error : terminal.out;
  const signal = terminal.interruption?.() ?? new AbortController().signal;
  const client = createWaymarkClient({ baseUrl, apiKey, retries: 0, ...(fetch && { fetch }) });
  const secret = makeWebhookSecret();

  async function readPage(position: { after?: number; limit?: number; wait?: number }) {
    const query = { ...position, ...(workspaceId && { workspaceId }) };
    return unwrap(client.GET('/event-log', { params: { query }, signal }));
  }

  /** Repeats the call while the server does not respond, and says so once. */
  async function persist<T>(call: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        const result = await call();
        if (tries > 0) terminal.error('connected: no event was missed');
        return result;
      } catch (error) {
        if (signal.aborted || !isTemporary(error)) throw error;
        const { message } = (await callFailure(error, { baseUrl })) as Error;
        if (tries === 0) terminal.error(`no connection, trying again: ${message}`);
        const askedMs = error instanceof WaymarkError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        await pause(Math.max(askedMs, Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** tries)), signal);
      }
    }
  }

  /** Returns where the log begins, because the events before are gone. */
  async function oldestPosition(): Promise<number> {
    const page = await persist(() => readPage({ limit: 1 }));
    const oldest = page.next_after - page.data.length;
    terminal.error(`the events before number ${oldest + 1} are no longer kept`);
    return oldest;
  }

  try {
    const { newest } = await persist(() => readPage({ limit: 1 }));
    if (url) say(`signing secret of this session: ${secret}`);
    say(`${url ? `sending events to ${url}` : 'printing events'}; press Ctrl-C to end`);
    let after = Math.max(0, newest - options.replay);
    for (;;) {
      try {
        const page = await persist(() => readPage({ after, wait: limits.eventLogWaitSeconds }));
        for (const event of page.data) {
          if (options.events && !options.events.includes(event.type)) continue;
          if (options.print) terminal.out(JSON.stringify(event));
          if (!url) continue;
          const outcome = await forward(event as LoggedEvent, { url, secret, signal, ...options });
          if (signal.aborted) return;
          if (outcome !== null) say(`${event.number} ${event.type}: ${outcome}`);
        }
        after = page.next_after;
      } catch (error) {
        if (!(error instanceof WaymarkError) || error.code !== 'POSITION_GONE') throw error;
        after = await oldestPosition();
      }
    }
  } catch (error) {
    if (!signal.aborted) throw await callFailure(error, { baseUrl });
  }
}

/** Without the connection, or while the server cannot serve. */
const isTemporary = (error: unknown) =>
  error instanceof WaymarkError ? error.status >= 500 || error.status === 429 : error instanceof TypeError;

/** Sends an event once, and returns the outcome; null for an event that webhooks do not carry. */
async function forward(
  { id, type, created_at, workspace_id, data }: LoggedEvent,
  {
    url,
    secret,
    signal,
    headerPrefix: prefix,
  }: ListenOptions & { url: string; secret: string; signal: AbortSignal },
): Promise<string | null> {
  if (!events[type].webhook) return null;
  if (data === null)
    return isForReaders(type) ? 'not sent: its data were erased' : 'not sent: only admins may read it';
  const payload = { id, type, created_at, workspace_id, data };
  return outcomeOf(await sendSigned(payload, { url, secret, prefix, signal }));
}
