import { resolve } from 'node:path';
import { createWaymarkClient, unwrap } from '@waymark/client';
import { isApiKey } from '@waymark/contracts';
import { usageError } from '../failures/command-error.ts';
import { callFailure } from '../output/call-failure.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { keyFromBrowser } from './browser-login.ts';
import { baseUrlOf, DEFAULT_URL, NOT_A_KEY } from './connection.ts';
import { keyFromDevice } from './device-login.ts';
import { readProfiles, writeProfiles } from './profile-file.ts';
import { readSecret } from './read-secret.ts';
import { trust, useProxy } from './use-proxy.ts';

export interface LoginOptions {
  key?: true;
  readOnly?: true;
  device?: true;
  /** False with --no-browser. */
  browser?: boolean;
  profile?: string;
  caFile?: string;
}

/** Stores a key as a profile, after the server has accepted it. */
export async function login(
  given: string | undefined,
  options: LoginOptions,
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  useProxy(terminal);
  const { current, profiles } = await readProfiles(env);
  const name = options.profile ?? current;
  if (!/^[\w.-]{1,50}$/.test(name) || name === '__proto__') {
    const message = 'the name of a profile has 1 to 50 letters, digits, dots, hyphens and underscores';
    throw usageError(message);
  }
  const caFile = options.caFile ? resolve(options.caFile) : profiles[name]?.caFile;
  if (caFile) trust(caFile);
  const url = baseUrlOf(given ?? (env['WAYMARK_URL'] || (profiles[name]?.url ?? DEFAULT_URL)));
  // Until the key is read, Ctrl-C ends the process.
  const piped = options.key && (await readSecret('API key: ', terminal));
  const interruption = terminal.interruption?.();
  if (!piped) await reach(url, interruption);
  const asks =
    options.device || (isRemote(env) && options.browser !== false) ? keyFromDevice : keyFromBrowser;
  const key = piped ?? (await asks(url, { ...options, interruption }, terminal).catch(reported(url)));
  if (!isApiKey(key)) {
    throw usageError(`this ${NOT_A_KEY}`);
  }
  const client = createWaymarkClient({ baseUrl: url, apiKey: key, retries: 0 });
  const whoami = await unwrap(client.GET('/whoami', { signal: interruption ?? null })).catch(reported(url));
  const { workspaceId, keyName, scopes, settingsUntil } = whoami;
  const profile = {
    url,
    key,
    workspaceId: workspaceId ?? '',
    keyName: keyName ?? '',
    ...(caFile && { caFile }),
  };
  await writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } }, env);
  const may = scopes.includes('write') ? 'read and write' : 'read';
  out(`signed in to ${url} as profile ${name}: key "${keyName}" may ${may} in workspace ${workspaceId}`);
  if (settingsUntil) out(`until ${settingsUntil} it may also change settings`);
  const overriding = ['WAYMARK_URL', 'WAYMARK_API_KEY', 'WAYMARK_WORKSPACE'].filter((each) => env[each]);
  if (overriding.length > 0)
    terminal.error(`commands still use ${overriding.join(' and ')} of the environment`);
}

/** Throws CommandError if no Waymark responds there, before the browser shows it to a person. */
async function reach(baseUrl: string, signal: AbortSignal | undefined): Promise<void> {
  const client = createWaymarkClient({ baseUrl });
  await unwrap(client.GET('/changelog', { signal: signal ?? null })).catch(reported(baseUrl));
}

const reported = (baseUrl: string) => async (error: unknown) => {
  throw await callFailure(error, { baseUrl });
};

/** Whether the person sits at another machine, whose browser cannot answer a port of this one. */
const isRemote = (env: Terminal['env']) =>
  Boolean(env['SSH_CONNECTION']) && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'];
