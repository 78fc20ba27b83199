/** What `waymark login` asks for, in the address that it opens. */
export interface CliRequest {
  /** Where it listens on this machine; 0 if the address is not complete. */
  port: number;
  /** What the answer must contain. */
  state: string;
  /** SubjectPublicKeyInfo in base64url, for the answer. */
  publicKey: string;
  host: string;
  scope: 'read' | 'write';
}

const LEAST_PORT = 1_024;
const MOST_PORT = 65_535;

export function cliRequestOf(search: Record<string, unknown>): CliRequest {
  const text = (name: string) => String(search[name] ?? '');
  const port = Number(text('port'));
  const isComplete =
    Number.isInteger(port) &&
    port >= LEAST_PORT &&
    port <= MOST_PORT &&
    /^[\w-]{43}$/.test(text('state')) &&
    /^[\w-]{300,800}$/.test(text('publicKey'));
  return {
    port: isComplete ? port : 0,
    state: text('state'),
    publicKey: text('publicKey'),
    host: text('host').slice(0, 100),
    scope: search['scope'] === 'read' ? 'read' : 'write',
  };
}
