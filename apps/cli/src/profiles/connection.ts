import { BASE_PATH, isApiKey } from '@waymark/contracts';
import { CommandError, usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { DEFAULT_PROFILE, type Profile, readProfiles } from './profile-file.ts';
import { trust, useProxy } from './use-proxy.ts';

export const DEFAULT_URL = 'http://localhost:8080';
export const NOT_A_KEY = 'is not an API key, or a part of it is missing: a key has wmk_ and 43 characters';

/** Where a command of the API goes, and as whom. */
export interface Connection {
  /** The address with the base path: `https://waymark.example/v1`. */
  baseUrl: string;
  apiKey: string;
  /** If it is not given, the server takes the workspace of the key. */
  workspaceId?: string;
  /** Replaces the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Returns the connection of the profile that `--profile` names. Without a name: WAYMARK_URL,
 * WAYMARK_API_KEY and WAYMARK_WORKSPACE, completed from the current profile. Throws CommandError if there is
 * no key.
 */
export async function connectionOf(
  { env }: Pick<Terminal, 'env'>,
  profileName?: string,
): Promise<Connection> {
  useProxy({ env });
  if (profileName !== undefined) return ofProfile(env, profileName);
  const url = env['WAYMARK_URL'];
  const key = env['WAYMARK_API_KEY']?.trim();
  if (key && !isApiKey(key)) {
    throw new CommandError(`WAYMARK_API_KEY ${NOT_A_KEY}`, { exit: 'auth' });
  }
  const workspaceId = env['WAYMARK_WORKSPACE'];
  const workspace = workspaceId ? { workspaceId } : {};
  if (url && key) return { baseUrl: baseUrlOf(url), apiKey: key, ...workspace };
  const { current, profiles } = await readProfiles(env);
  const profile = profiles[current];
  if (key) return { baseUrl: profile?.url ?? baseUrlOf(DEFAULT_URL), apiKey: key, ...workspace };
  if (!profile) {
    const hint = 'run waymark login, or set WAYMARK_URL and WAYMARK_API_KEY';
    throw new CommandError(`you are not signed in: ${hint}`, { exit: 'auth' });
  }
  // A stored key goes to the server that it was stored for, and to no other.
  if (url && baseUrlOf(url) !== profile.url) {
    const hint = 'set WAYMARK_API_KEY too, or name a profile with --profile';
    throw new CommandError(`WAYMARK_URL is not the address of profile ${current}: ${hint}`, { exit: 'auth' });
  }
  return { ...connectionTo(profile), ...workspace };
}

function connectionTo({ url, key, workspaceId, caFile }: Profile): Connection {
  if (caFile) trust(caFile);
  return { baseUrl: url, apiKey: key, workspaceId };
}

async function ofProfile(env: Terminal['env'], name: string): Promise<Connection> {
  const profile = (await readProfiles(env)).profiles[name];
  if (profile) return connectionTo(profile);
  const login = name === DEFAULT_PROFILE ? 'waymark login' : `waymark login --profile ${name}`;
  throw new CommandError(`there is no profile ${name}: run ${login}`, { exit: 'auth' });
}

/** Adds the base path to an address without a path. Throws CommandError for what is not an address. */
export function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  const isAddress = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!isAddress) {
    const example = 'such as https://waymark.example.com';
    throw usageError(`the address of the server is not valid: give one ${example}`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path || BASE_PATH}`;
}
