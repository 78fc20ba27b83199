import { createWaymarkClient, unwrap, WaymarkError } from '@waymark/client';
import { changelog, errors } from '@waymark/contracts';
import { CommandError, usageError } from '../failures/command-error.ts';
import type { Exit } from '../failures/exit-codes.ts';
import { lineOf } from './cell.ts';

const VERSION_TIMEOUT_MS = 3_000;

const UNSENDABLE = '--if-match or --idempotency-key has characters that cannot be sent';

interface Call {
  baseUrl: string;
  /** The key with which to repeat a change that may have been made. */
  idempotencyKey?: string | undefined;
  /** Whether the request changes something. */
  isChange?: boolean;
  /** Whether a key that `waymark login` has let change settings may make the request. */
  isSetting?: boolean;
}

/** Returns an error with one line about a failed call and its exit code. Other errors stay as they are. */
export async function callFailure(error: unknown, call: Call): Promise<unknown> {
  if (error instanceof WaymarkError) return ofAnswer(error, call);
  if (!(error instanceof Error)) return error;
  const { code, message: cause = '' } = (error.cause ?? {}) as { code?: string; message?: string };
  const again = NOT_SENT.test(code ?? cause) ? '' : repetition(call);
  if (error.name === 'AbortError') {
    return new CommandError(`interrupted${again}`, { exit: 'interrupted', cause: error });
  }
  if (error instanceof SyntaxError) return notWaymark(call, error);
  if (!(error instanceof TypeError)) return error;
  const reason = reasonOf(error.cause);
  if (!reason) return isHeaderError(error) ? usageError(UNSENDABLE) : error;
  const { origin } = new URL(call.baseUrl);
  const proxy = proxyIn(error.cause, new URL(call.baseUrl));
  const message = `${proxy ?? origin} ${reason}: check the address and that the server runs${again}`;
  return new CommandError(message, { exit: 'server', cause: error });
}

/** Nothing has left this machine: fetch refuses some ports, and certificates are checked before a request. */
const NOT_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|bad port)$|CERT|ALTNAME|UNABLE_TO/;

/** Whether the client refused to send a header. The message would quote it. */
const isHeaderError = ({ message }: TypeError) => /header|ByteString/i.test(message);

/** Says how to go on after a change of which no answer arrived. */
function repetition({ isChange, idempotencyKey }: Call): string {
  if (!isChange) return '';
  const key = idempotencyKey && `repeat the command with --idempotency-key ${idempotencyKey}`;
  return `; the change may have been made: ${key ?? 'look before you repeat the command'}`;
}

/** Explains a failed connection by the code of the system or of the HTTP client. */
function reasonOf(cause: unknown): string | undefined {
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string };
  if (code === 'ECONNREFUSED') return 'does not respond (connection refused)';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'is not a known host';
  if (/CERT|ALTNAME|SSL|TLS|UNABLE_TO/.test(code)) return `has no valid certificate (${code})`;
  if (/^(?:E[A-Z]+|UND_ERR_\w+|HPE_\w+)$/.test(code)) return `broke the connection (${code})`;
  return message ? `broke the connection (${message})` : undefined;
}

/** Names the proxy if the refused connection was to another port than that of the server. */
function proxyIn(cause: unknown, { port, protocol }: URL): string | undefined {
  const { errors: [refused = cause] = [] } = cause as { errors?: unknown[] };
  const { address, port: tried } = refused as { address?: string; port?: number };
  const own = Number(port) || (protocol === 'https:' ? 443 : 80);
  return tried === undefined || tried === own ? undefined : `the proxy ${address}:${tried}`;
}

async function ofAnswer(error: WaymarkError, call: Call): Promise<CommandError> {
  if (!Object.hasOwn(errors, error.code)) return notWaymark(call, error);
  const { code, requestId, docs, issues, reason } = error;
  const about = [requestId && `request ${requestId}`, docs].filter(Boolean).join(', ');
  const hint = loginHint(error, call) ?? (await versionHint(error, call));
  const text = hint ? error.message.replace(/\.$/, '') : error.message;
  const message = lineOf(`${text}${hint}`);
  return new CommandError(lineOf(`${message}${about && ` (${about})`}`), {
    exit: exitOf(error),
    details: {
      // The line repeats other fields.
      message,
      error: code,
      requestId,
      docs,
      ...(reason && { reason }),
      ...(issues.length > 0 && { issues }),
    },
    cause: error,
  });
}

function loginHint({ code, reason }: WaymarkError, { isSetting }: Call): string | undefined {
  if (code === 'UNAUTHORIZED') return '; run waymark login';
  return isSetting && reason === 'key_on_settings' ? '; waymark login can allow it for an hour' : undefined;
}

/** Returns the exit code for a refused request. */
export function exitOf({ status, code }: Pick<WaymarkError, 'status' | 'code'>): Exit {
  if (code === 'IDEMPOTENCY_MISMATCH') return 'conflict';
  if (status >= 500 || status === 408) return 'server';
  const codes: Record<number, Exit> = {
    401: 'auth',
    402: 'auth',
    403: 'auth',
    404: 'notFound',
    405: 'notFound',
    410: 'notFound',
    409: 'conflict',
    412: 'conflict',
    428: 'conflict',
    429: 'rateLimited',
  };
  return codes[status] ?? 'usage';
}

function notWaymark({ baseUrl }: Call, cause: unknown): CommandError {
  const message = `${baseUrl} responds, but not as Waymark: check the address`;
  return new CommandError(message, { exit: 'server', cause });
}

/** A request that one version accepts and another refuses has one of these answers. */
const SKEWED = [400, 404, 405];

/** Says if the server is of another version than this program, by the changelog of the API. */
async function versionHint({ status }: WaymarkError, { baseUrl }: Call): Promise<string> {
  if (!SKEWED.includes(status)) return '';
  const client = createWaymarkClient({ baseUrl });
  const signal = AbortSignal.timeout(VERSION_TIMEOUT_MS);
  const theirs = await unwrap(client.GET('/changelog', { signal })).catch(() => undefined);
  if (!theirs) return '';
  const [older, newer] = [theirs, changelog].map(({ entries }) => new Set(entries.map(({ text }) => text)));
  if ([...newer!].some((text) => !older!.has(text)))
    return '; the server is older than this waymark, which may be why: use the waymark of its version';
  if ([...older!].some((text) => !newer!.has(text)))
    return '; the server is newer than this waymark, which may be why: update waymark';
  return '';
}
