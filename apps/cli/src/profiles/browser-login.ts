import {
  constants,
  generateKeyPairSync,
  hash,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openBrowser } from './open-browser.ts';

const LOOPBACK = '127.0.0.1';
const WAIT_MS = 300_000;

/** Why the page sent no key, by the `error` in its answer. */
const refusals: Record<string, string> = {
  denied: 'the request was declined in the browser: nothing was created',
  plan: 'the plan of this workspace has no API keys: ask its owner for the Business plan or a higher one',
  role: 'only owners and admins create API keys: ask one for a key, and run waymark login --key',
};

/** 128 bits of security (NIST SP 800-57). */
const RSA_BITS = 3072;

interface BrowserLoginOptions {
  readOnly?: true;
  browser?: boolean;
  interruption?: AbortSignal | undefined;
}

/**
 * Asks the person in the browser for a new API key (docs/decisions/0033-login-in-the-browser.md). The page
 * encrypts the key for this process, so that neither the history of the browser nor another user of this
 * machine can read it.
 */
export async function keyFromBrowser(
  baseUrl: string,
  options: BrowserLoginOptions,
  terminal: Terminal,
): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const state = randomBytes(32).toString('base64url');
  const start = `/${randomBytes(16).toString('base64url')}`;
  const answered = Promise.withResolvers<URLSearchParams>();
  let consoleUrl = '';
  let isStarted = false;

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '/', `http://${LOOPBACK}`);
    const isOwn = url !== null && request.method === 'GET' && request.headers.host === `${LOOPBACK}:${port}`;
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Connection', 'close');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (isOwn && url.pathname === start && !isStarted) {
      // The address with the state is in no argument of a process, and works once.
      isStarted = true;
      response.writeHead(302, { Location: consoleUrl }).end();
    } else if (isOwn && url.pathname === '/' && isEqual(url.searchParams.get('state') ?? '', state)) {
      const text = url.searchParams.has('key') ? 'You are signed in.' : 'Nothing was created.';
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.end(`${text} You can close this window and return to the terminal.\n`);
      answered.resolve(url.searchParams);
    } else {
      response.writeHead(404).end();
    }
  }

  const server = createServer(respond);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as { port: number };
  const query = new URLSearchParams({
    port: String(port),
    state,
    publicKey: spki.toString('base64url'),
    host: hostname().slice(0, 100),
    ...(options.readOnly && { scope: 'read' }),
  });
  consoleUrl = new URL(`/cli-login?${query}`, baseUrl).href;
  const timeout = setTimeout(() => {
    const message = 'the browser did not answer within five minutes: run waymark login again';
    answered.reject(new CommandError(message, { exit: 'auth' }));
  }, WAIT_MS);
  const interrupt = () =>
    answered.reject(new CommandError('interrupted: nothing was stored', { exit: 'interrupted' }));
  options.interruption?.addEventListener('abort', interrupt, { once: true });
  try {
    terminal.error(`confirm in the browser that it shows the code ${codeOf(spki)}`);
    terminal.error(`if no browser opens on this machine: ${consoleUrl}`);
    if (options.browser !== false) openBrowser(`http://${LOOPBACK}:${port}${start}`);
    const answer = await answered.promise;
    const sealed = answer.get('key');
    if (!sealed) throw refused(answer.get('error') ?? '');
    return unsealed(sealed, privateKey);
  } finally {
    clearTimeout(timeout);
    server.close();
    server.closeAllConnections();
  }
}

/** What the person compares in the terminal and in the browser; it identifies the public key. */
function codeOf(spki: Buffer): string {
  const code = hash('sha256', spki, 'hex').slice(0, 12).toUpperCase();
  return code.replaceAll(/(.{4})(?=.)/g, '$1-');
}

function unsealed(sealed: string, privateKey: KeyObject): string {
  const padding = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  try {
    return privateDecrypt(padding, Buffer.from(sealed, 'base64url')).toString('utf8');
  } catch {
    throw refused('unreadable');
  }
}

function refused(error: string): CommandError {
  const message = refusals[error] ?? 'the browser sent no key: run waymark login again';
  return new CommandError(message, { exit: 'auth' });
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => hash('sha256', text, 'buffer'));
  return timingSafeEqual(first!, second!);
}
