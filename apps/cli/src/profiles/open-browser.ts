import { spawn } from 'node:child_process';

const programs: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the user's browser, if there is one. Other users may see the address. */
export function openBrowser(url: string): void {
  const [program, ...args] = programs[process.platform] ?? ['xdg-open'];
  const env = { ...process.env, WAYMARK_API_KEY: undefined };
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  child.on('error', () => undefined);
  child.unref();
}
