import { ClientMetadata, HIDDEN_CHARACTERS, invalid } from '@waymark/contracts';
import { isLoopback } from '../config.ts';
import type { AccountsContext } from '../context.ts';

/** The length of registered metadata: the client id has it, and must be short enough for an address. */
const REGISTERED_CHARACTERS = 1_000;
const NAME_CHARACTERS = 60;

/** Returns the name of a program as a page may show it: private characters can look like a logo. */
const shownName = (text = '') =>
  text
    .replaceAll(HIDDEN_CHARACTERS, '')
    .replaceAll(/\p{C}/gu, '')
    .trim()
    .slice(0, NAME_CHARACTERS)
    .toWellFormed();

/** Schemes of programs that claim no domain name. Their other addresses open files or install extensions. */
const SIGN_IN_PATHS: Record<string, RegExp> = { 'cursor:': /^\/\/anysphere\.cursor-[a-z]+\/oauth\// };

/** Whether a program on the person's machine has it: a reversed domain (RFC 8252, 7.1), or a known one. */
const isProgramScheme = (protocol: string) =>
  Object.hasOwn(SIGN_IN_PATHS, protocol) || /^[a-z][a-z0-9]*(?:\.[a-z0-9-]+)+:$/.test(protocol);

/** An address of a program takes nothing from a link but the parameters of the sign-in: it has no query. */
const isOfProgram = ({ href, protocol, pathname, search }: URL) =>
  isProgramScheme(protocol) &&
  pathname.startsWith('/') &&
  search === '' &&
  (SIGN_IN_PATHS[protocol]?.test(href.slice(protocol.length)) ?? true);

/** A browser follows it without running anything, and it reaches nobody else on the way. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return (isWeb || isOfProgram(url)) && url.username === '' && url.password === '';
}

function withoutPort(text: string): string {
  const url = new URL(text);
  url.port = '';
  return url.href;
}

/** Programs on the person's machine listen on any free port (RFC 8252, 7.3); all else is compared exactly. */
function isRegistered(registered: readonly string[], requested: string): boolean {
  if (!isRedirectUri(requested)) return false;
  if (registered.includes(requested)) return true;
  return (
    /^https?:/.test(requested) &&
    isLoopback(new URL(requested)) &&
    registered.some((known) => isRedirectUri(known) && withoutPort(known) === withoutPort(requested))
  );
}

/** Returns the program that asks. Throws VALIDATION_ERROR for an unknown one, and for another address. */
export async function findClient(
  service: AccountsContext,
  { client_id, redirect_uri }: { client_id: string; redirect_uri: string },
) {
  const known = URL.canParse(client_id)
    ? await readMetadata(service, client_id)
    : await service.registeredClients.open(client_id);
  if (!known) throw invalid('clientId', 'names no program whose metadata can be read; register the program');
  if (!isRegistered(known.redirect_uris, redirect_uri))
    throw invalid('redirectUri', 'is not an address that the program has registered');
  const url = new URL(redirect_uri);
  const host = isProgramScheme(url.protocol) ? url.protocol : url.host;
  return { client_id, name: shownName(known.client_name) || host, host };
}

/** Reads a Client ID Metadata Document; null without a valid one that names its own address. */
async function readMetadata(service: AccountsContext, clientId: string): Promise<ClientMetadata | null> {
  const url = new URL(clientId);
  // The webhooks service refuses loopback, unless the operator allows it for trying things out.
  const isAllowed = url.protocol === 'https:' || isLoopback(url);
  if (!isAllowed || url.href !== clientId || url.pathname === '/' || url.hash !== '') return null;
  const text = await service.fetchDocument(clientId);
  try {
    const metadata = ClientMetadata.parse(JSON.parse(text ?? ''));
    return metadata.client_id === clientId ? metadata : null;
  } catch {
    return null;
  }
}

export async function registerClient(service: AccountsContext, given: ClientMetadata) {
  const { client_id: _, ...metadata } = given;
  const isUsable = metadata.redirect_uris.every(isRedirectUri);
  if (!isUsable || JSON.stringify(metadata).length > REGISTERED_CHARACTERS) return null;
  return { ...metadata, client_id: await service.registeredClients.seal(metadata) };
}
