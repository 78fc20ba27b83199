import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DEVICE_CLIENT,
  DEVICE_GRANT,
  DeviceAuthorization,
  deviceEndpoint,
  tokenEndpoint,
} from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

const SLOW_DOWN_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

/** Why there will be no key, by the `error` of the token endpoint (RFC 8628, 3.5). */
const refusals: Record<string, string> = {
  access_denied: 'the request was declined in the browser: nothing was created',
  expired_token: 'nobody entered the code in time: run waymark login again',
};

interface DeviceLoginOptions {
  readOnly?: true;
  interruption?: AbortSignal | undefined;
}

/** Shows a code that the person enters in a browser on another machine, and waits for the key. */
export async function keyFromDevice(
  baseUrl: string,
  { readOnly, interruption }: DeviceLoginOptions,
  terminal: Terminal,
): Promise<string> {
  const send = (path: string, form: Record<string, string>) =>
    fetch(new URL(path, baseUrl), {
      method: 'POST',
      body: new URLSearchParams({ client_id: DEVICE_CLIENT, ...form }),
      redirect: 'error',
      signal: interruption ?? null,
    });
  const begun = await send(deviceEndpoint.path, {
    scope: readOnly ? 'read' : 'read write',
    device_name: hostname().slice(0, 100),
  });
  const device = DeviceAuthorization.safeParse(await begun.json().catch(() => null));
  if (!device.success) {
    const why = begun.status === 429 ? 'has had too many requests from here' : 'has no sign-in by a code';
    throw refused(`the server ${why}: pipe a key into waymark login --key`);
  }
  const { device_code, user_code, verification_uri, expires_in, interval } = device.data;
  const minutes = Math.floor(expires_in / 60);
  terminal.error(`open ${verification_uri} in a browser on any machine, and enter the code ${user_code}`);
  terminal.error(
    `it is valid for ${minutes} minutes, for you alone: who enters it decides what you sign in to`,
  );
  const endMs = performance.now() + expires_in * 1_000;
  let waitMs = interval * 1_000;
  while (performance.now() < endMs) {
    await delay(waitMs, undefined, interruption && { signal: interruption });
    const { answer, error } = await poll(() =>
      send(tokenEndpoint.path, { grant_type: DEVICE_GRANT, device_code }),
    );
    if (typeof answer?.access_token === 'string') return answer.access_token;
    if (error === 'slow_down') waitMs += SLOW_DOWN_MS;
    // Without an answer, a client asks less and less often (RFC 8628, 3.5).
    else if (error === undefined) waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    else if (error !== 'authorization_pending')
      throw refused(refusals[error] ?? 'the server gave no key: run waymark login again');
  }
  throw refused(refusals['expired_token']!);
}

/** Asks once. Without a response of the token endpoint, there is neither an answer nor an error. */
async function poll(
  send: () => Promise<Response>,
): Promise<{ answer?: { access_token?: unknown }; error?: string | undefined }> {
  try {
    const response = await send();
    const answer = (await response.json()) as { access_token?: unknown; error?: string };
    return response.ok
      ? { answer, error: 'no_key' }
      : { error: response.status === 400 ? answer.error : undefined };
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    return {};
  }
}

const refused = (message: string) => new CommandError(message, { exit: 'auth' });
