import { readFileSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Sends what this process requests through the proxies that its environment names. */
export function useProxy({ env }: Pick<Terminal, 'env'>): void {
  const isNamed = ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) => env[name] || env[name.toLowerCase()]);
  if (isNamed) setGlobalProxyFromEnv(env as NodeJS.ProcessEnv);
}

/** Lets this process trust servers whose certificates a private authority has issued, besides public ones. */
export function trust(caFile: string): void {
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(caFile, 'utf8')]);
  } catch (error) {
    const message = `${caFile} has no certificates: ${(error as Error).message}`;
    throw new CommandError(message, { exit: 'usage', cause: error });
  }
}
