import { setGlobalProxyFromEnv } from 'node:http';
import type { Terminal } from '../terminal.ts';

/** Sends what this process requests through the proxies that its environment names. */
export function useProxy({ env }: Pick<Terminal, 'env'>): void {
  const isNamed = ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) => env[name] || env[name.toLowerCase()]);
  if (isNamed) setGlobalProxyFromEnv(env as NodeJS.ProcessEnv);
}
