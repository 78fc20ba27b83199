/** What a program asks for, in the address that it opens (RFC 6749, 4.1.1; RFC 7636; RFC 8707). */
const NAMES = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const;

export type GrantRequest = Partial<Record<(typeof NAMES)[number], string>>;

export function grantRequestOf(search: Record<string, unknown>): GrantRequest {
  const given = NAMES.filter((name) => search[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, String(search[name])]));
}

/** Whether the page may ask the person; the server checks it again. */
export const isComplete = (request: GrantRequest) =>
  request.response_type === 'code' &&
  request.code_challenge_method === 'S256' &&
  [request.client_id, request.redirect_uri, request.code_challenge].every(Boolean);
